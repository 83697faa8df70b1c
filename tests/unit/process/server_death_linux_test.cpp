// A stopped supervisor hears of nothing, but the kernel continues it when its server dies (contract C-26b).

#include <csignal>

#include "runner_server.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;
using std::chrono::seconds;

TEST_CASE("a tree whose command has stopped its supervisor dies with the server", "[process][C-26b]") {
  const std::string token = unique_token();
  Server server(
      {"kill -STOP $PPID; " + child("leave-ignoring 300 " + token) + " & " + child("sleep 300 " + token) + "; true"});
  REQUIRE(server.read_line() == "ready");
  REQUIRE(wait_for([&] { return processes_with(token).size() >= 2; }, seconds(20)));
  server.kill(SIGKILL);
  CHECK(wait_for([&] { return processes_with(token).empty(); }, seconds(5)));
}

TEST_CASE("a supervisor that was stopped while it waited dies with the server", "[process][C-26b]") {
  const std::string name = unique_token();
  Server server({"true"}, name);
  REQUIRE(server.read_line() == "ready");
  REQUIRE(server.read_line() == "ended");
  const auto processes = processes_with(name);
  REQUIRE(processes.size() == 2);
  for (const long process : processes) ::kill(static_cast<pid_t>(process), SIGSTOP);
  server.kill(SIGKILL);
  CHECK(wait_for([&] { return processes_with(name).empty(); }, seconds(5)));
}
