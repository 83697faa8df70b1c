// The server is killed or crashes (contract C-26b): the trees of running commands are gone within a second.

#include <csignal>
#include <filesystem>

#include "runner_server.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;
using std::chrono::seconds;

TEST_CASE("trees die with the server, whatever they ignore", "[process][C-26b]") {
  for (const int signal : {SIGKILL, SIGABRT, SIGTERM}) {
    const std::string token = unique_token();
    Server server({"trap '' TERM; " + child("ignore-term 300 " + token) + "; true",
                   child("leave-ignoring 300 " + token) + " & " + child("sleep 300 " + token) + "; true"});
    REQUIRE(server.read_line() == "ready");
    REQUIRE(wait_for([&] { return processes_with(token).size() >= 3; }, seconds(20)));
    server.kill(signal);
    CHECK(wait_for([&] { return processes_with(token).empty(); }, seconds(5)));
  }
}

TEST_CASE("the supervisors die with the server, busy or not", "[process][C-26b]") {
  for (const int signal : {SIGKILL, SIGTERM}) {
    const std::string name = unique_token();
    Server server({"true", "sleep 300"}, name);
    REQUIRE(server.read_line() == "ready");
    REQUIRE(server.read_line() == "ended");
    // Itself and one at least.
    CHECK(processes_with(name).size() >= 2);
    server.kill(signal);
    CHECK(wait_for([&] { return processes_with(name).empty(); }, seconds(5)));
  }
}

TEST_CASE("background processes of calls that had ended survive the death of the server", "[process][C-26b]") {
  const std::string token = unique_token();
  const std::string other = unique_token();
  Server server({child("sleep 300 " + token) + " >/dev/null 2>&1 & true"});
  REQUIRE(server.read_line() == "ready");
  REQUIRE(server.read_line() == "ended");
  REQUIRE(wait_for([&] { return processes_with(token).size() == 1; }, seconds(20)));
  server.kill(SIGKILL);
  // Another server's tree has come and gone meanwhile.
  Server second({child("sleep 300 " + other)});
  REQUIRE(wait_for([&] { return processes_with(other).size() >= 1; }, seconds(20)));
  second.kill(SIGKILL);
  REQUIRE(wait_for([&] { return processes_with(other).empty(); }, seconds(5)));
  const auto alive = processes_with(token);
  REQUIRE(alive.size() == 1);
  ::kill(static_cast<pid_t>(alive.front()), SIGKILL);
}

TEST_CASE("a script of a dead server leaves nothing behind", "[process][C-26b][C-15]") {
  const TemporaryFolder folder;
  const std::string token = unique_token();
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  Server server({child("sleep 300 " + token) + "; true"});
  ::unsetenv("TMPDIR");
  REQUIRE(server.read_line() == "ready");
  REQUIRE(wait_for([&] { return processes_with(token).size() == 1; }, seconds(20)));
  server.kill(SIGKILL);
  CHECK(wait_for([&] { return std::filesystem::is_empty(folder.path()); }, seconds(5)));
}
