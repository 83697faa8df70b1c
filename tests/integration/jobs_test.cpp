// Long commands as jobs (contract §7, --max-wait).

#include <signal.h>

#include "support/catch.hpp"
#include "support/server_process.hpp"

using namespace cowork_terminal::testing;
using Clock = std::chrono::steady_clock;

namespace {

struct Session : ServerProcess {
  explicit Session(const std::string& max_wait = "300") : ServerProcess({.arguments = {"--max-wait", max_wait}}) {
    initialize();
  }

  void cancel(int id) {
    send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}});
  }
};

milliseconds since(Clock::time_point start) { return std::chrono::duration_cast<milliseconds>(Clock::now() - start); }

bool gone(std::string_view token, milliseconds patience = milliseconds(4'000)) {
  return wait_until([&] { return processes_with(token).empty(); }, patience);
}

std::string refusal(const json& result) {
  REQUIRE(result.at("isError") == true);
  return result.at("content").at(0).at("text").get<std::string>();
}

}  // namespace

TEST_CASE("the parameters of jobs exist with the option only", "[jobs]") {
  Session server("45000");
  const auto tool = server.response(server.request("tools/list")).at("result").at("tools").at(0);
  const auto& schema = tool.at("inputSchema");
  CHECK_FALSE(schema.contains("required"));
  for (const auto* name : {"command", "cwd", "timeout", "env", "wait", "job", "stop"})
    CHECK(schema.at("properties").contains(name));
  CHECK(schema.at("properties").at("timeout").at("default") == 600'000);
  CHECK(schema.at("properties").at("wait").at("default") == 45'000);
  CHECK(tool.at("outputSchema").at("properties").contains("job"));
  CHECK(tool.at("outputSchema").at("properties").contains("running"));
  CHECK(tool.at("description").get<std::string>().size() < 2'000);
}

TEST_CASE("a command that outlives its call is followed to its end, nothing lost or doubled", "[jobs][K100]") {
  Session server;
  const auto start = Clock::now();
  auto result = server.run("for i in $(seq 1 20); do echo line $i; echo err $i >&2; sleep 0.1; done; exit 7");
  CHECK(since(start) < milliseconds(1'500));
  REQUIRE(result.at("running") == true);
  CHECK(result.at("exitCode").is_null());
  CHECK(result.at("timedOut") == false);
  const auto id = result.at("job").get<std::string>();
  CHECK(result.at("notes").at(0).get<std::string>().find(id) != std::string::npos);
  std::string out = result.at("stdout");
  std::string err = result.at("stderr");
  int answers = 1;
  while (result.contains("job")) {
    result = server.run_with({{"job", id}});
    out += result.at("stdout").get<std::string>();
    err += result.at("stderr").get<std::string>();
    ++answers;
  }
  CHECK(answers > 3);
  CHECK(result.at("exitCode") == 7);
  CHECK_FALSE(result.contains("running"));
  std::string expected_out;
  std::string expected_err;
  for (int i = 1; i <= 20; ++i) {
    expected_out += "line " + std::to_string(i) + "\n";
    expected_err += "err " + std::to_string(i) + "\n";
  }
  CHECK(out == expected_out);
  CHECK(err == expected_err);
  CHECK(refusal(server.execute({{"job", id}})).find("There is no job") != std::string::npos);
}

TEST_CASE("a command that ends in time is answered as ever", "[jobs]") {
  Session server("20000");
  const auto result = server.run("echo quick; exit 2");
  CHECK(result == json{{"stdout", "quick\n"}, {"stderr", ""}, {"exitCode", 2}, {"timedOut", false}});
}

TEST_CASE("a wait of 0 starts a job at once", "[jobs]") {
  Session server("20000");
  const auto start = Clock::now();
  const auto first = server.run_with({{"command", "sleep 0.5; echo done"}, {"wait", 0}});
  CHECK(since(start) < milliseconds(500));
  REQUIRE(first.at("running") == true);
  const auto last = server.run_with({{"job", first.at("job")}});
  CHECK(last.at("stdout") == "done\n");
  CHECK(last.at("exitCode") == 0);
}

TEST_CASE("output of a cancelled poll goes to the next one", "[jobs]") {
  Session server("500");
  auto result = server.run_with({{"command", "for i in $(seq 1 12); do echo $i; sleep 0.15; done"}, {"wait", 100}});
  const json id = result.at("job");
  std::string out = result.at("stdout");
  for (int round = 0; result.contains("job"); ++round) {
    if (round % 2 == 0) {
      const int poll = server.call({{"job", id}});
      server.cancel(poll);
    }
    result = server.run_with({{"job", id}});
    out += result.at("stdout").get<std::string>();
  }
  CHECK(out == "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
  CHECK(result.at("exitCode") == 0);
}

TEST_CASE("cancelling a poll leaves the command, cancelling the first call ends it", "[jobs][C-21]") {
  Session server("5000");
  const auto first = server.run_with({{"command", "sleep 30.5101"}, {"wait", 50}});
  REQUIRE(wait_until([] { return processes_with("30.5101").size() == 1; }));
  const int poll = server.call({{"job", first.at("job")}});
  server.cancel(poll);
  CHECK(server.answers_ping());
  CHECK(processes_with("30.5101").size() == 1);

  const int start = server.call({{"command", "sleep 30.5102"}});
  REQUIRE(wait_until([] { return !processes_with("30.5102").empty(); }));
  server.cancel(start);
  CHECK(gone("30.5102"));
  CHECK(processes_with("30.5101").size() == 1);
}

TEST_CASE("stop ends the tree and gives the rest", "[jobs][C-20]") {
  Session server;
  const auto first = server.run("echo begun; setsid sleep 30.5201 & sleep 30.5201");
  REQUIRE(first.at("running") == true);
  const auto stopped = server.run_with({{"job", first.at("job")}, {"stop", true}});
  CHECK(stopped.at("exitCode").is_null());
  CHECK(stopped.at("timedOut") == false);
  CHECK_FALSE(stopped.contains("running"));
  CHECK(first.at("stdout").get<std::string>() + stopped.at("stdout").get<std::string>() == "begun\n");
  CHECK(gone("30.5201", milliseconds(500)));
}

TEST_CASE("the timeout counts from the start, over all calls", "[jobs]") {
  Session server;
  const auto start = Clock::now();
  auto result = server.run_with({{"command", "echo a; sleep 30.5301"}, {"timeout", 1'200}});
  REQUIRE(result.at("running") == true);
  const json id = result.at("job");
  while (result.contains("job")) result = server.run_with({{"job", id}});
  CHECK(result.at("timedOut") == true);
  CHECK(result.at("exitCode").is_null());
  CHECK(since(start) < milliseconds(5'000));
  CHECK(gone("30.5301", milliseconds(500)));
}

TEST_CASE("sixteen jobs may run and no more", "[jobs]") {
  Session server;
  std::vector<std::string> ids;
  for (int i = 0; i < 16; ++i) ids.push_back(server.run_with({{"command", "sleep 30.5401"}, {"wait", 0}}).at("job"));
  const auto text = refusal(server.execute({{"command", "echo no"}}));
  for (const auto& id : ids) CHECK(text.find(id) != std::string::npos);
  CHECK(refusal(server.execute({{"job", "guess"}})).find(ids.front()) != std::string::npos);
  server.run_with({{"job", ids.front()}, {"stop", true}});
  CHECK(server.run("echo yes").at("stdout") == "yes\n");
  server.close_input();
  CHECK(server.wait_for_exit() == 0);
  CHECK(gone("30.5401", milliseconds(500)));
}

TEST_CASE("a killed server leaves no job", "[jobs][C-26b]") {
  Session server;
  for (int i = 0; i < 4; ++i) server.run_with({{"command", "setsid sleep 30.5501 & sleep 30.5501"}, {"wait", 0}});
  REQUIRE(wait_until([] { return processes_with("30.5501").size() >= 8; }));
  server.signal(SIGKILL);
  server.wait_for_exit();
  CHECK(gone("30.5501", milliseconds(1'000)));
}

TEST_CASE("progress is told in polls, with the seconds of the whole job", "[jobs][C-24]") {
  Session server("20000");
  const auto first = server.run_with({{"command", "sleep 7.5"}, {"wait", 1'200}});
  const int poll = server.call({{"job", first.at("job")}}, {{"progressToken", 5}});
  const auto progress = server.read_message();
  CHECK(progress.at("params").at("progressToken") == 5);
  CHECK(progress.at("params").at("progress") == 6);
  CHECK(server.response(poll).at("result").at("structuredContent").at("exitCode") == 0);
}

TEST_CASE("unread output is capped like any stream", "[jobs][C-11]") {
  Session server;
  const auto first = server.run_with({{"command", "head -c 3000000 /dev/zero | tr '\\0' a; sleep 1"}, {"wait", 0}});
  std::string out = first.at("stdout");
  auto result = first;
  while (result.contains("job")) {
    result = server.run_with({{"job", first.at("job")}, {"wait", 20'000}});
    out += result.at("stdout").get<std::string>();
  }
  CHECK(out.find("[stdout truncated at 1MB]") != std::string::npos);
}

TEST_CASE("all of a stream that was cut is in a private file until the server ends", "[jobs][C-11]") {
  Session server("20000");
  const auto result = server.run("seq 1 400000; exit 4");
  CHECK(result.at("exitCode") == 4);
  const auto note = result.at("notes").at(0).get<std::string>();
  const auto begin = note.find('/');
  REQUIRE(begin != std::string::npos);
  const auto path = note.substr(begin, note.find(' ', begin) - begin);
  const auto whole = read_file(path);
  CHECK(whole.size() == 2'688'895);
  CHECK(whole.substr(whole.size() - 7) == "400000\n");
  CHECK(server.run("stat -c %a '" + path + "'").at("stdout") == "600\n");
  server.close_input();
  CHECK(server.wait_for_exit() == 0);
  CHECK(read_file(path).empty());
}
