// The life of the server: start, end, and what is left behind.

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "support/catch.hpp"
#include "support/server_process.hpp"

using namespace cowork_terminal::testing;
using Clock = std::chrono::steady_clock;

namespace {

milliseconds since(Clock::time_point start) { return std::chrono::duration_cast<milliseconds>(Clock::now() - start); }

struct Session : ServerProcess {
  explicit Session(ServerStart start = {}) : ServerProcess(std::move(start)) { initialize(); }
};

bool running(std::string_view token) {
  return wait_until([&] { return !processes_with(token).empty(); });
}

bool gone(std::string_view token, milliseconds patience) {
  return wait_until([&] { return processes_with(token).empty(); }, patience);
}

constexpr auto escapees =
    "trap '' TERM HUP; setsid sleep {0} & (setsid sleep {1} &) ; env -i setsid sleep {2} & (sleep {3} & disown) ; "
    "sleep {4}";

// A command whose processes leave its group and session in every way there is; all carry `token`.
std::string escaping_tree(const std::string& token) {
  std::string command = escapees;
  for (int i = 0; i < 5; ++i) {
    const auto hole = "{" + std::to_string(i) + "}";
    command.replace(command.find(hole), hole.size(), token + std::to_string(i));
  }
  return command;
}

}  // namespace

// The start of a sanitizer alone takes 100 ms of an idle machine.
TEST_CASE("the first request is answered soon after the start", "[C-25][P66]") {
  milliseconds best(10'000);
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    ServerProcess server;
    server.response(server.request("server/discover", {{"_meta", modern_meta()}}));
    best = std::min(best, since(start));
  }
  CHECK(best < milliseconds(sanitized ? 2'000 : 200));
}

TEST_CASE("two copies run at once and one that is only asked leaves nothing", "[C-25][P66]") {
  const TemporaryFolder home;
  Session first({.environment = {{"HOME", home.path()}}});
  {
    ServerProcess second({.environment = {{"HOME", home.path()}}});
    second.response(second.request("server/discover", {{"_meta", modern_meta()}}));
    second.close_input();
    CHECK(second.wait_for_exit() == 0);
  }
  CHECK(first.run("ls -A ~").at("stdout") == "");
}

TEST_CASE("requests that were read before the end of stdin are answered", "[P10][C-26]") {
  for (const auto* last_newline : {"\n", ""}) {
    ServerProcess server;
    server.send_bytes(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
        "\n"
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"execute_command","arguments":{"command":"sleep 0.3; echo hi"}}})");
    server.send_bytes(last_newline);
    server.close_input();
    CHECK(server.read_message().at("id") == 1);
    CHECK(server.read_message().at("result").at("structuredContent").at("stdout") == "hi\n");
    CHECK_FALSE(server.read_line());
    CHECK(server.wait_for_exit() == 0);
  }
}

TEST_CASE("at the end of stdin running commands are ended and answered with what they printed", "[P9][C-26]") {
  Session server;
  const int id = server.call({{"command", "echo before; sleep 30.2601"}});
  REQUIRE(running("30.2601"));
  const auto start = Clock::now();
  server.close_input();
  const auto result = server.response(id).at("result").at("structuredContent");
  CHECK(result.at("stdout") == "before\n");
  CHECK(result.at("exitCode") == 143);
  CHECK(result.at("signal") == "SIGTERM");
  CHECK(result.at("timedOut") == false);
  CHECK(result.at("notes").size() == 1);
  CHECK(server.wait_for_exit() == 0);
  CHECK(since(start) < milliseconds(2'000));
  CHECK(gone("30.2601", milliseconds(500)));
}

TEST_CASE("at the end of stdin a tree that ignores SIGTERM is gone within 2 s", "[P9][C-26]") {
  Session server;
  server.call({{"command", escaping_tree("30.262")}});
  REQUIRE(running("30.2624"));
  const auto start = Clock::now();
  server.close_input();
  CHECK(server.wait_for_exit() == 0);
  CHECK(since(start) < milliseconds(2'200));
  CHECK(gone("30.262", milliseconds(500)));
}

TEST_CASE("an open subscription is ended with its result", "[P62][C-26]") {
  ServerProcess server;
  server.send({{"jsonrpc", "2.0"},
               {"id", "listen:0"},
               {"method", "subscriptions/listen"},
               {"params", {{"_meta", modern_meta()}, {"notifications", {{"toolsListChanged", true}}}}}});
  CHECK(server.read_message().at("method") == "notifications/subscriptions/acknowledged");
  const auto start = Clock::now();
  server.close_input();
  const auto result = server.response("listen:0").at("result");
  CHECK(result.at("resultType") == "complete");
  CHECK(result.at("_meta").at("io.modelcontextprotocol/subscriptionId") == "listen:0");
  CHECK(server.wait_for_exit() == 0);
  CHECK(since(start) < milliseconds(1'000));
}

TEST_CASE("each of SIGINT, SIGTERM and SIGHUP ends everything at once", "[C-26a][P12]") {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    Session server;
    const auto token = "30.27" + std::to_string(number);
    for (int i = 0; i < 3; ++i) server.call({{"command", escaping_tree(token + std::to_string(i))}});
    for (int i = 0; i < 3; ++i) REQUIRE(running(token + std::to_string(i) + "4"));
    const auto start = Clock::now();
    server.signal(number);
    CHECK(server.wait_for_exit() == 0);
    CHECK(since(start) < milliseconds(1'000));
    CHECK(gone(token, milliseconds(500)));
  }
}

TEST_CASE("a signal ends the server although the client started it with all signals blocked", "[C-26a]") {
  Session server({.in_child = [] {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
  }});
  server.signal(SIGTERM);
  CHECK(server.wait_for_exit() == 0);
}

TEST_CASE("a signal ends the server although the client does not read", "[C-26a][C-27]") {
  Session server;
  for (int i = 0; i < 4; ++i) server.call({{"command", "yes | head -c 300000"}});
  server.call({{"command", "sleep 30.2751"}});
  REQUIRE(running("30.2751"));
  const auto start = Clock::now();
  server.signal(SIGTERM);
  CHECK(server.wait_for_exit() == 0);
  CHECK(since(start) < milliseconds(1'000));
  CHECK(gone("30.2751", milliseconds(500)));
}

TEST_CASE("the end of an idle server's reader is noticed at once", "[P12][C-26]") {
  for (const bool socket_pair : {false, true}) {
    Session server({.socket_pair = socket_pair});
    server.call({{"command", "trap '' TERM; sleep 30.2811"}});
    REQUIRE(running("30.2811"));
    const auto start = Clock::now();
    server.close_output();
    CHECK(server.wait_for_exit() == 0);
    CHECK(since(start) < milliseconds(1'500));
    CHECK(gone("30.2811", milliseconds(500)));
  }
}

TEST_CASE("the death of the parent ends the server although its pipe stays open", "[K68][C-26]") {
  std::array<int, 2> input{};
  std::array<int, 2> report{};
  REQUIRE(pipe(input.data()) == 0);
  REQUIRE(pipe(report.data()) == 0);
  const pid_t wrapper = fork();
  if (wrapper == 0) {
    const pid_t server = fork();
    if (server == 0) {
      dup2(input[0], 0);
      execl(program_path(), "cowork-terminal-mcp", "--log-level", "off", "--no-audit-log", static_cast<char*>(nullptr));
      _exit(127);
    }
    static_cast<void>(write(report[1], &server, sizeof server));
    pause();
    _exit(0);
  }
  pid_t server = 0;
  REQUIRE(read(report[0], &server, sizeof server) == sizeof server);
  // Asked and answered once, the server has begun to watch.
  const std::string call =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"execute_command","arguments":{"command":"sleep 30.2682"}}})"
      "\n";
  REQUIRE(write(input[1], call.data(), call.size()) == static_cast<ssize_t>(call.size()));
  REQUIRE(running("30.2682"));
  kill(wrapper, SIGKILL);
  waitpid(wrapper, nullptr, 0);
  CHECK(wait_until([&] { return kill(server, 0) != 0; }, milliseconds(10'000)));
  CHECK(gone("30.2682", milliseconds(1'000)));
  for (const int descriptor : {input[0], input[1], report[0], report[1]}) close(descriptor);
}

TEST_CASE("a killed server takes its running trees along and leaves older background processes alone", "[C-26b]") {
  Session server;
  server.run("setsid sleep 30.2911 >/dev/null 2>&1 </dev/null &");
  REQUIRE(running("30.2911"));
  for (int i = 0; i < 4; ++i) server.call({{"command", escaping_tree("30.292" + std::to_string(i))}});
  for (int i = 0; i < 4; ++i) REQUIRE(running("30.292" + std::to_string(i) + "4"));
  server.signal(SIGKILL);
  CHECK(server.wait_for_exit() == 128 + SIGKILL);
  CHECK(gone("30.292", milliseconds(1'000)));
  const auto survivors = processes_with("30.2911");
  CHECK(survivors.size() == 1);
  for (const pid_t survivor : survivors) kill(survivor, SIGKILL);
}

TEST_CASE("background processes of ended calls outlive the server", "[C-26b][C-26]") {
  Session server;
  server.run("sleep 30.2931 >/dev/null 2>&1 &");
  REQUIRE(running("30.2931"));
  server.close_input();
  CHECK(server.wait_for_exit() == 0);
  const auto survivors = processes_with("30.2931");
  CHECK(survivors.size() == 1);
  for (const pid_t survivor : survivors) kill(survivor, SIGKILL);
}

TEST_CASE("without bash the server says where it looked and leaves with 2", "[C-14]") {
  ServerProcess server({.arguments = {"--bash", "/no/such/bash"}});
  CHECK(server.wait_for_exit() == 2);
  CHECK(server.standard_error().find("/no/such/bash") != std::string::npos);
  CHECK_FALSE(server.read_line());
}

TEST_CASE("bash comes from PATH, first come, absolute entries only", "[C-14]") {
  const TemporaryFolder folder;
  Session maker;
  maker.run("mkdir -p " + folder.file("first") +
            " && printf '#!/bin/bash\\nexport FOUND=here; exec /bin/bash \"$@\"\\n' > " + folder.file("first/bash") +
            " && chmod 755 " + folder.file("first/bash"));
  Session server(
      {.environment = {{"PATH", "relative::" + folder.file("none") + ":" + folder.file("first") + ":/usr/bin:/bin"}}});
  CHECK(server.run("echo $FOUND").at("stdout") == "here\n");
  Session unreadable({.environment = {{"PATH", "/proc/1/cwd:/nonexistent"}}});
  CHECK(unreadable.run("echo ok").at("stdout") == "ok\n");
}

TEST_CASE("the server works with closed descriptors, in a deleted directory and with few descriptors", "[C-17]") {
  SECTION("stderr closed") {
    Session server({.in_child = [] { close(2); }});
    CHECK(server.run("echo out; echo err >&2").at("stderr") == "err\n");
  }
  SECTION("a deleted directory") {
    const TemporaryFolder folder;
    Session server({.in_child = [path = folder.file("gone")] {
      static_cast<void>(mkdir(path.c_str(), 0700));
      static_cast<void>(chdir(path.c_str()));
      rmdir(path.c_str());
    }});
    CHECK(server.run("echo ok").at("stdout") == "ok\n");
  }
  SECTION("a low limit of descriptors") {
    Session server({.in_child = [] {
      const rlimit low{64, 64};
      setrlimit(RLIMIT_NOFILE, &low);
    }});
    for (int i = 0; i < 30; ++i) CHECK(server.run("echo ok").at("stdout") == "ok\n");
    std::vector<int> ids;
    for (int i = 0; i < 30; ++i) ids.push_back(server.call({{"command", "sleep 0.3; echo ok"}}));
    int ran = 0;
    for (const int id : ids) {
      const auto result = server.response(id).at("result");
      if (result.at("isError") == false) ++ran;
      if (result.at("isError") == true) CHECK(result.at("content").at(0).at("text").get<std::string>().size() > 20);
    }
    CHECK(ran >= 3);
    CHECK(server.run("echo ok").at("stdout") == "ok\n");
  }
  SECTION("stdin closed") {
    ServerProcess server({.in_child = [] { close(0); }});
    CHECK(server.wait_for_exit() == 0);
  }
}

TEST_CASE("commands get the descriptor limit the server was started with", "[C-17]") {
  Session server({.in_child = [] {
    const rlimit limit{123, 4'096};
    setrlimit(RLIMIT_NOFILE, &limit);
  }});
  CHECK(server.run("ulimit -Sn; ulimit -Hn").at("stdout") == "123\n4096\n");
}

TEST_CASE("without HOME the home directory comes from the password file", "[C-18a]") {
  Session server({.environment = {{"HOME", std::nullopt}}});
  CHECK(server.run("[ \"$PWD\" = \"$(getent passwd $(id -u) | cut -d: -f6)\" ]; echo $?").at("stdout") == "0\n");
}
