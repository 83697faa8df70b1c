// What a sub-reaper makes possible: the tree is everything that the command started (contract C-20).

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;
using std::chrono::seconds;

TEST_CASE("daemons without environment, session and parent are ended, with others running beside", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const std::string other = unique_token();
  const auto kept = fixture.start_bash(child("daemon 300 " + other) + "; " + child("sleep 300 " + other) + "; true");
  fixture.pump_until([&] { return processes_with(other).size() == 3; });
  const auto run = fixture.start_bash(child("daemon 300 " + token) + "; (env -i setsid " + child("sleep 300 " + token) +
                                      " &); " + child("sleep 300 " + token) + "; true");
  fixture.pump_until([&] { return processes_with(token).size() == 4; });

  run->command->cancel();
  CHECK(std::holds_alternative<Cancelled>(fixture.finish(*run).ending));
  CHECK(processes_with(token).empty());
  CHECK(processes_with(other).size() == 3);
  kept->command->cancel();
  fixture.finish(*kept);
  CHECK(processes_with(other).empty());
}

TEST_CASE("a daemon whose shell waits for nothing else is ended at the timeout", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome = fixture.bash(child("daemon 300 " + token) + "; sleep 300", milliseconds(600));
  CHECK(std::holds_alternative<TimedOut>(outcome.ending));
  CHECK(outcome.duration < milliseconds(2'600));
  CHECK(processes_with(token).empty());
}

TEST_CASE("a bomb whose processes all leave for sessions of their own loses", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto run = fixture.start_bash(child("bomb 7 " + token));  // 3^7 processes
  fixture.pump_until([&] { return processes_with(token).size() > 100; });
  const auto start = std::chrono::steady_clock::now();
  fixture.runner().end_all(milliseconds(50));
  fixture.finish(*run);
  CHECK(std::chrono::steady_clock::now() - start < seconds(3));
  // The answer need not wait for the last of them, but they end.
  fixture.pump_until([&] { return processes_with(token).empty(); });
}

TEST_CASE("a chain of processes that flees from session to session is caught", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto run = fixture.start_bash(child("replicate " + token) + "; sleep 300");
  fixture.pump_until([&] { return !processes_with(token).empty(); });
  run->command->cancel();
  fixture.finish(*run);
  fixture.pump_until([&] { return processes_with(token).empty(); });
  CHECK(std::holds_alternative<Cancelled>(run->outcome->ending));
}

TEST_CASE("a process that may not be signalled is named in a note, with its pid", "[process][C-20]") {
  if (::geteuid() != 0) {
    WARN("skipped: only root can make a set-user-id program and become somebody else");
    return;
  }
  const TemporaryFolder folder;
  const std::string program = folder.path("privileged");
  REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
  std::filesystem::copy_file(CHILD_PROGRAM, program);
  REQUIRE(::chmod(program.c_str(), 04755) == 0);
  const std::string token = unique_token();

  int result[2];
  REQUIRE(::pipe(result) == 0);
  const pid_t unprivileged = ::fork();
  if (unprivileged == 0) {
    // Nothing of the test framework may run here.
    std::string notes = "not run";
    if (::setgid(65'534) == 0 && ::setuid(65'534) == 0) {
      auto fixture = std::make_unique<RunnerFixture>();
      notes = note_of(fixture->bash(program + " privileged 300 " + token + " & sleep 300", milliseconds(700)));
    }
    ::write(result[1], notes.data(), notes.size());
    ::_exit(0);
  }
  ::close(result[1]);
  std::string notes;
  char piece[512];
  for (ssize_t size = 0; (size = ::read(result[0], piece, sizeof piece)) > 0;)
    notes.append(piece, static_cast<std::size_t>(size));
  ::close(result[0]);
  ::waitpid(unprivileged, nullptr, 0);

  const auto left = processes_with(token);
  REQUIRE(left.size() == 1);
  CHECK(notes == "Process " + std::to_string(left.front()) +
                     ", started by this command, could not be ended: it belongs to another user.\n");
  ::kill(static_cast<pid_t>(left.front()), SIGKILL);
}
