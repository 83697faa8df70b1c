// Many calls at once: the queue, the backlog and every byte of output accounted for (contract C-22, C-23, C-27, C-29).

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <random>

#include "support/catch.hpp"
#include "support/server_process.hpp"

using namespace cowork_terminal::testing;
using Clock = std::chrono::steady_clock;

namespace {

struct Session : ServerProcess {
  explicit Session(ServerStart start = {}) : ServerProcess(std::move(start)) { initialize(); }
};

milliseconds since(Clock::time_point start) { return std::chrono::duration_cast<milliseconds>(Clock::now() - start); }

constexpr std::size_t mebibyte = 1'048'576;
constexpr int calls_under_load = sanitized ? 100 : 300;

// The command writes exactly these many numbered bytes to each stream.
std::string writer(std::size_t out, std::size_t err) {
  return "yes 0123456789abcde | head -c " + std::to_string(out) + " & yes fedcba987654321 | head -c " +
         std::to_string(err) + " >&2; wait";
}

std::string expected(const std::string& line, std::size_t size, const std::string& name) {
  std::string text;
  while (text.size() < size) text += line;
  text.resize(std::min(size, mebibyte));
  if (size > mebibyte) text += (text.back() == '\n' ? "[" : "\n[") + name + " truncated at 1MB]";
  return text;
}

std::ptrdiff_t entries_of(const std::string& folder) {
  const std::filesystem::directory_iterator entries(folder);
  return std::distance(begin(entries), end(entries));
}

}  // namespace

TEST_CASE("hundreds of calls, 16 at a time under full load: every byte is accounted for", "[C-19][C-22]") {
  Session server;
  std::vector<int> burners;
  for (int i = 0; i < 2; ++i)
    burners.push_back(server.call({{"command", "while :; do :; done"}, {"timeout", 600'000}}));

  std::mt19937 random(20'261'130);
  std::map<int, std::pair<std::size_t, std::size_t>> running;
  int started = 0;
  int checked = 0;
  const auto start_next = [&] {
    const bool large = random() % 20 == 0;
    const std::size_t out = random() % (large ? 3 * mebibyte : 200'000);
    const std::size_t err = random() % (large ? 2 * mebibyte : 100'000);
    running[server.call({{"command", writer(out, err)}, {"timeout", 300'000}})] = {out, err};
    ++started;
  };
  while (started < 16) start_next();
  while (!running.empty()) {
    const auto message = server.read_message(milliseconds(120'000));
    const int id = message.at("id");
    const auto sizes = running.at(id);
    const auto& result = message.at("result").at("structuredContent");
    const bool whole = result.at("exitCode") == 0 &&
                       result.at("stdout") == expected("0123456789abcde\n", sizes.first, "stdout") &&
                       result.at("stderr") == expected("fedcba987654321\n", sizes.second, "stderr");
    INFO("sizes " << sizes.first << " " << sizes.second);
    CHECK(whole);
    ++checked;
    running.erase(id);
    if (started < calls_under_load) start_next();
  }
  CHECK(checked == calls_under_load);
  for (const int id : burners)
    server.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}});
  CHECK(server.answers_ping());
}

TEST_CASE("at most 64 commands run at once and the rest come in order", "[C-22]") {
  Session server;
  const TemporaryFolder folder;
  const TemporaryFolder running;
  REQUIRE(mkfifo(folder.file("go").c_str(), 0600) == 0);
  // Opening the pipe lasts until somebody has it open for writing.
  const std::string command =
      "cd '" + running.path() + "'; mkdir $$; ls | wc -l; : < '" + folder.file("go") + "'; rmdir $$";
  std::vector<int> ids;
  for (int i = 0; i < 100; ++i) ids.push_back(server.call({{"command", command}, {"timeout", 120'000}}));
  CHECK(wait_until([&] { return entries_of(running.path()) == 64; }, milliseconds(60'000)));
  CHECK(server.answers_ping());
  CHECK(entries_of(running.path()) == 64);

  const int gate = open(folder.file("go").c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(gate >= 0);
  int most = 0;
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    const auto message = server.read_message(milliseconds(60'000));
    most = std::max(most, std::stoi(message.at("result").at("structuredContent").at("stdout").get<std::string>()));
    order.push_back(message.at("id"));
  }
  close(gate);
  CHECK(most <= 64);
  // Whoever waited was started after the first ones ended.
  CHECK(std::find(order.begin(), order.end(), ids.front()) < std::find(order.begin(), order.end(), ids.back()));
}

TEST_CASE("the timeout of a waiting call starts when it does", "[C-22]") {
  Session server;
  std::vector<int> ids;
  for (int i = 0; i < 64; ++i) ids.push_back(server.call({{"command", "sleep 1.2"}}));
  const int waiting = server.call({{"command", "echo ran"}, {"timeout", 1'000}});
  CHECK(server.response(waiting).at("result").at("structuredContent").at("stdout") == "ran\n");
  for (const int id : ids) CHECK(server.response(id).at("result").at("structuredContent").at("exitCode") == 0);
}

TEST_CASE("calls beyond the waiting room are refused at once and cost nobody else anything", "[C-22]") {
  Session server;
  std::vector<int> ids;
  for (int i = 0; i < 64 + 1'024 + 5; ++i) ids.push_back(server.call({{"command", "sleep 30.4100"}}));
  int refused = 0;
  for (int i = 0; i < 5; ++i) {
    const auto message = server.read_message();
    refused += message.at("result").at("isError") == true ? 1 : 0;
  }
  CHECK(refused == 5);
  CHECK(server.answers_ping());
  CHECK(server.others.empty());
  // The waiting ones first: else each that ends makes room for one that is started only to be cancelled.
  std::reverse(ids.begin(), ids.end());
  for (const int id : ids)
    server.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}});
  CHECK(server.run("echo ok", milliseconds(30'000)).at("stdout") == "ok\n");
}

TEST_CASE("at the end of stdin calls that wait for their turn are refused", "[C-26][C-22]") {
  Session server;
  std::vector<int> ids;
  for (int i = 0; i < 70; ++i) ids.push_back(server.call({{"command", "sleep 30.2631"}}));
  REQUIRE(wait_until([] { return processes_with("30.2631").size() >= 64; }, milliseconds(20'000)));
  server.close_input();
  int refused = 0;
  int ended = 0;
  for (const int id : ids) {
    const auto result = server.response(id).at("result");
    (result.at("isError") == true ? refused : ended) += 1;
  }
  CHECK(ended == 64);
  CHECK(refused == 6);
  CHECK(server.wait_for_exit() == 0);
  CHECK(wait_until([] { return processes_with("30.2631").empty(); }, milliseconds(1'000)));
}

TEST_CASE("a client that reads nothing stops new calls, not timers", "[C-27]") {
  Session server;
  const TemporaryFolder folder;
  // Each answer takes about 4 MiB of the 64 MiB that may wait.
  std::vector<int> ids;
  for (int i = 0; i < 24; ++i) {
    ids.push_back(server.call({{"command", "touch s$$; head -c 1048576 /dev/zero | tr '\\0' '\\1' | head -c 330000"},
                               {"cwd", folder.path()}}));
  }
  const int timed = server.call({{"command", "sleep 30.4200"}, {"timeout", 500}});
  const auto memory = [&] { return resident_kib(server.pid()); };
  CHECK(wait_until([&] { return processes_with("30.4200").empty(); }, milliseconds(20'000)));
  CHECK(memory() < 200 * 1'024 + sanitizer_kib);
  for (const int id : ids) CHECK(server.response(id, milliseconds(60'000)).at("result").at("isError") == false);
  CHECK(server.response(timed).at("result").at("structuredContent").at("timedOut") == true);
}

TEST_CASE("stderr that nobody reads never blocks the server", "[C-29]") {
  Session server({.in_child =
                      [] {
                        int ends[2] = {};
                        if (pipe(ends) == 0) dup2(ends[1], 2);
                      },
                  .log_level = "trace"});
  for (int i = 0; i < 3'000; ++i) server.send_line("{bad");
  for (int i = 0; i < 3'000; ++i) server.read_message();
  CHECK(server.run("echo ok").at("stdout") == "ok\n");
}

TEST_CASE("a full disk for stderr is no trouble", "[C-29]") {
  Session server({.in_child = [] { dup2(open("/dev/full", O_WRONLY), 2); }, .log_level = "trace"});
  CHECK(server.run("echo ok").at("stdout") == "ok\n");
}

TEST_CASE("a long series of large results stays small", "[C-23]") {
  Session server;
  for (int i = 0; i < 25; ++i) {
    const auto result = server.run("yes 0123456789abcde | head -c 1048576; yes fedcba987654321 | head -c 1048576 >&2");
    CHECK(result.at("stderr").get<std::string>().size() == mebibyte);
  }
  CHECK(peak_resident_kib(server.pid()) < 128 * 1'024 + sanitizer_kib);
  CHECK(resident_kib(server.pid()) < 16 * 1'024 + sanitizer_kib);
}

TEST_CASE("one call adds little memory and each further one less", "[C-23]") {
  Session server;
  server.run("true");
  const auto before = resident_kib(server.pid());
  const TemporaryFolder folder;
  std::vector<int> ids;
  for (int i = 0; i < 16; ++i)
    ids.push_back(server.call({{"command",
                                "yes 0123456789abcde | head -c 1500000; yes x | head -c 1500000 >&2; "
                                "touch full.$$; until [ -e go ]; do sleep 0.1; done"},
                               {"cwd", folder.path()},
                               {"timeout", 120'000}}));
  CHECK(wait_until([&] { return entries_of(folder.path()) == 16; }, milliseconds(60'000)));
  CHECK(resident_kib(server.pid()) < before + 64 * 1'024 + 15 * 6 * 1'024 + sanitizer_kib);
  CHECK(server.run("touch '" + folder.file("go") + "'").at("exitCode") == 0);
  for (const int id : ids) CHECK(server.response(id, milliseconds(60'000)).at("result").at("isError") == false);
}

TEST_CASE("answers come within the bound while everything is busy", "[P8]") {
  Session server;
  std::vector<int> ids;
  for (int i = 0; i < 8; ++i) ids.push_back(server.call({{"command", "yes | head -c 200000000"}, {"timeout", 60'000}}));
  milliseconds best(10'000);
  for (int i = 0; i < 20; ++i) {
    const auto start = Clock::now();
    const int id = server.request("ping");
    server.response(id);
    best = std::min(best, since(start));
  }
  CHECK(best < milliseconds(100));
  for (const int id : ids) CHECK(server.response(id, milliseconds(90'000)).at("result").at("isError") == false);
}
