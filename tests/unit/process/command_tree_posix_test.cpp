// The end of a tree (contract C-20, C-21, C-26), as every POSIX system has to do it.

#include <unistd.h>

#include <csignal>

#include "runner_fixture.hpp"
#include "support/catch.hpp"
#include "support/sanitizer.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;
using cowork_terminal::testing::sanitized;
using std::chrono::seconds;

namespace {

// Starts the command, waits for as many processes with the token, and returns the run.
std::shared_ptr<Run> start_tree(RunnerFixture& fixture, const std::string& text, const std::string& token,
                                std::size_t processes) {
  const auto run = fixture.start_bash(text);
  fixture.pump_until([&] { return processes_with(token).size() >= processes; });
  return run;
}

}  // namespace

TEST_CASE("a timeout ends the shell and its children, and keeps what was printed", "[process][C-20][K05][K10]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome =
      fixture.bash("echo partial; echo err >&2; " + child("sleep 300 " + token) + " | cat", milliseconds(500));
  CHECK(std::holds_alternative<TimedOut>(outcome.ending));
  CHECK(outcome.standard_output.text == "partial\n");
  CHECK(outcome.standard_error.text == "err\n");
  CHECK(outcome.duration >= milliseconds(500));
  CHECK(outcome.duration < milliseconds(2'000));
  CHECK(outcome.notes.empty());
  CHECK(processes_with(token).empty());
}

TEST_CASE("the timeout counts from the launch and is reported only when it was our timer", "[process][C-20]") {
  RunnerFixture fixture;
  CHECK(exited_with(fixture.bash("exit 4", milliseconds(20'000)), 4));
  const auto killed = fixture.bash("kill -TERM $$", milliseconds(20'000));
  CHECK(std::holds_alternative<Signaled>(killed.ending));
}

TEST_CASE("what SIGTERM does not end is killed 2 s later", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome = fixture.bash("trap '' TERM; " + child("ignore-term 300 " + token) + "; true", milliseconds(300));
  CHECK(std::holds_alternative<TimedOut>(outcome.ending));
  CHECK(outcome.standard_output.text == "ignoring\n");
  CHECK(outcome.duration >= milliseconds(2'300));
  CHECK(outcome.duration < milliseconds(3'500));
  CHECK(outcome.notes.empty());
  CHECK(processes_with(token).empty());
}

TEST_CASE("a program that ends its work on SIGTERM has the time to say so", "[process][C-20]") {
  RunnerFixture fixture;
  const auto outcome =
      fixture.bash("trap 'sleep 0.3; echo cleaned up; exit 0' TERM; echo started; sleep 60 & wait", milliseconds(400));
  CHECK(std::holds_alternative<TimedOut>(outcome.ending));
  CHECK(outcome.standard_output.text == "started\ncleaned up\n");
}

TEST_CASE("stopped processes are ended too", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome = fixture.bash(child("sleep 300 " + token) + " & kill -STOP $!; kill -STOP $$", milliseconds(500));
  CHECK(std::holds_alternative<TimedOut>(outcome.ending));
  CHECK(outcome.duration < milliseconds(2'000));
  CHECK(processes_with(token).empty());
}

TEST_CASE("children in sessions and groups of their own are ended", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const std::string sleeper = child("sleep 300 " + token);
  const auto run = start_tree(
      fixture, "set -m; " + sleeper + " & " + child("leave 300 " + token) + " & " + sleeper + "; true", token, 4);
  run->command->cancel();
  CHECK(std::holds_alternative<Cancelled>(fixture.finish(*run).ending));
  CHECK(processes_with(token).empty());
}

TEST_CASE("the SIGTERM-proof in sessions of their own are killed", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto run =
      start_tree(fixture, child("leave-ignoring 300 " + token) + " & " + child("ignore-term 300 " + token), token, 3);
  fixture.runner().end_all(milliseconds(50));
  const auto& outcome = fixture.finish(*run);
  CHECK(processes_with(token).empty());
  CHECK(note_of(outcome).find("shutting down") != std::string::npos);
}

TEST_CASE("cancelling at once ends a program that has hardly started", "[process][C-21]") {
  RunnerFixture fixture;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    const auto run = fixture.start_bash("sleep 60; true");
    run->command->cancel();
    CHECK(std::holds_alternative<Cancelled>(fixture.finish(*run).ending));
  }
  // None of them had to wait for its SIGKILL.
  CHECK(std::chrono::steady_clock::now() - start < seconds(15));
}

TEST_CASE("children in sessions of their own without our environment go with the shell, by SIGTERM or SIGKILL",
          "[process][C-20][C-26a]") {
  for (const char* trap : {"", "trap '' TERM; "}) {
    RunnerFixture fixture;
    const std::string token = unique_token();
    const auto run = start_tree(
        fixture, trap + ("env -i " + child("leave 300 " + token)) + " & " + child("sleep 300 " + token) + "; true",
        token, 2);
    fixture.runner().end_all(milliseconds(50));
    fixture.finish(*run);
    CHECK(processes_with(token).empty());
  }
}

TEST_CASE("ending one command leaves the others alone", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const std::string other = unique_token();
  const auto kept = start_tree(fixture, child("leave 300 " + other) + " & " + child("sleep 300 " + other), other, 3);
  const auto run = start_tree(fixture, child("leave 300 " + token) + " & " + child("sleep 300 " + token), token, 3);
  run->command->cancel();
  fixture.finish(*run);
  CHECK(processes_with(token).empty());
  CHECK(processes_with(other).size() == 3);
  CHECK_FALSE(kept->outcome);
  kept->command->cancel();
  fixture.finish(*kept);
  CHECK(processes_with(other).empty());
}

TEST_CASE("background processes of ended commands survive the end of the server's commands", "[process][C-26]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  fixture.bash(child("sleep 300 " + token) + " >/dev/null 2>&1 &");
  const auto run = fixture.start_bash("sleep 60; true");
  fixture.runner().end_all(milliseconds(50));
  fixture.finish(*run);
  // Waited for, because a process that is just executing its program has no command line.
  std::vector<long> alive;
  fixture.pump_until([&] {
    alive = processes_with(token);
    return alive.size() == 1;
  });
  fixture.bash("true");
  CHECK(process_exists(alive.front()));
  ::kill(static_cast<pid_t>(alive.front()), SIGKILL);
}

TEST_CASE("at the end of the server 64 trees are gone in a moment", "[process][C-26a]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  std::vector<std::shared_ptr<Run>> runs;
  for (int i = 0; i < 64; ++i)
    runs.push_back(fixture.start_bash("trap '' TERM; echo up; " + child("sleep 300 " + token) + "; true"));
  for (const auto& run : runs) fixture.pump_until([&] { return run->command->output_bytes() > 0; });
  const auto start = std::chrono::steady_clock::now();
  fixture.runner().end_all(milliseconds(50));
  for (const auto& run : runs) CHECK(std::holds_alternative<Signaled>(fixture.finish(*run).ending));
  CHECK(std::chrono::steady_clock::now() - start < seconds(sanitized ? 10 : 2));
  CHECK(processes_with(token).empty());
}

TEST_CASE("after end_all() nothing is launched any more", "[process][C-26]") {
  RunnerFixture fixture;
  fixture.runner().end_all(milliseconds(50));
  const auto outcome = fixture.bash("echo ran");
  CHECK(std::holds_alternative<FailedToStart>(outcome.ending));
  CHECK(outcome.standard_output.text.empty());
}

TEST_CASE("a shorter grace counts when the order is repeated", "[process][C-26a]") {
  RunnerFixture fixture;
  const auto run = fixture.start_bash("trap '' TERM; echo up; while :; do sleep 1; done");
  fixture.pump_until([&] { return run->command->output_bytes() > 0; });
  const auto start = std::chrono::steady_clock::now();
  fixture.runner().end_all(milliseconds(20'000));
  fixture.runner().end_all(milliseconds(50));
  fixture.finish(*run);
  CHECK(std::chrono::steady_clock::now() - start < seconds(5));
}

TEST_CASE("a command that kills its supervisor is still answered, and its tree is ended", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome = fixture.bash(child("leave-ignoring 300 " + token) + " & sleep 0.3; kill -9 $PPID; " +
                                    child("sleep 300 " + token) + "; true");
  REQUIRE(std::holds_alternative<Signaled>(outcome.ending));
  CHECK(std::get<Signaled>(outcome.ending).signal == SIGKILL);
  CHECK(note_of(outcome).find("watches over this command was killed") != std::string::npos);
  CHECK(outcome.duration < seconds(10));
  fixture.pump_until([&] { return processes_with(token).empty(); });
  CHECK(fixture.bash("echo fine").standard_output.text == "fine\n");
}

TEST_CASE("a command that stops its supervisor is ended in time all the same", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome =
      fixture.bash("kill -STOP $PPID; echo stopped; " + child("sleep 300 " + token) + "; true", milliseconds(700));
  CHECK(std::holds_alternative<TimedOut>(outcome.ending));
  CHECK(outcome.standard_output.text == "stopped\n");
  CHECK(outcome.duration < milliseconds(2'600));
  CHECK(outcome.notes.empty());
  fixture.pump_until([&] { return processes_with(token).empty(); });
}

TEST_CASE("a command that stops its supervisor again and again is ended all the same", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome = fixture.bash("trap '' TERM; while :; do kill -STOP $PPID; done # " + token, milliseconds(300));
  CHECK(std::holds_alternative<TimedOut>(outcome.ending));
  CHECK(outcome.duration < seconds(4));
  fixture.pump_until([&] { return processes_with(token).empty(); });
}

TEST_CASE("a command that kills its supervisor at once has run", "[process][C-8]") {
  RunnerFixture fixture;
  for (int i = 0; i < 20; ++i) {
    const auto outcome = fixture.bash("kill -9 $PPID; sleep 300");
    CHECK(reason_of(outcome).empty());
    CHECK(std::holds_alternative<Signaled>(outcome.ending));
  }
}

TEST_CASE("signals that a command sends to its parent do not harm it", "[process]") {
  RunnerFixture fixture;
  CHECK(exited_with(fixture.bash("kill -TERM $PPID; kill -INT $PPID; kill -HUP $PPID; kill -USR1 $PPID; exit 6"), 6));
}

TEST_CASE("an environment that no channel takes at once arrives whole", "[process][C-18]") {
  RunnerFixture fixture;
  Command command =
      bash_command("for i in {0..11}; do name=BIG_$i; value=${!name}; ((total += ${#value})); done; echo $total");
  for (int i = 0; i < 12; ++i) command.environment.set("BIG_" + std::to_string(i), std::string(100'000, 'x'));
  const auto run = fixture.start(command);
  CHECK(fixture.finish(*run).standard_output.text == "1200000\n");

  // An order behind it is obeyed in its turn.
  command.argv.back() = "sleep 300";
  const auto cancelled = fixture.start(command);
  cancelled->command->cancel();
  CHECK(std::holds_alternative<Cancelled>(fixture.finish(*cancelled).ending));
  CHECK(fixture.finish(*cancelled).duration < seconds(5));
}

TEST_CASE("an order finds its way however full the request has left the channel", "[process][C-21]") {
  RunnerFixture fixture;
  for (std::size_t size = 150'000; size < 260'000; size += 1'000) {
    INFO(size);
    Command command = bash_command("sleep 300");
    for (std::size_t rest = size, i = 0; rest > 0; ++i) {
      const std::size_t part = std::min<std::size_t>(rest, 100'000);
      command.environment.set("BIG_" + std::to_string(i), std::string(part, 'x'));
      rest -= part;
    }
    const auto run = fixture.start(command);
    run->command->cancel();
    CHECK(fixture.finish(*run).duration < milliseconds(1'500));
  }
}
