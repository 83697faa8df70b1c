// A supervisor whose command has ended serves the next one.

#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;
using std::chrono::seconds;

TEST_CASE("one supervisor serves commands one after another, however they end by themselves", "[process]") {
  RunnerFixture fixture;
  const pid_t supervisor = fixture.supervisor_of_next_command();
  for (const std::string text : {"exit 7", "kill -9 $$", "echo err >&2; false", "(exit 3) & wait"}) {
    fixture.bash(text);
    CHECK(fixture.supervisor_of_next_command() == supervisor);
  }
  Command script = bash_command("");
  script.argv = {"/bin/bash"};
  script.script = "echo $PPID; exit 5";
  for (int run = 0; run < 2; ++run) {
    const auto started = fixture.start(script);
    const auto& outcome = fixture.finish(*started);
    CHECK(exited_with(outcome, 5));
    CHECK(outcome.standard_output.text == std::to_string(supervisor) + "\n");
  }
}

TEST_CASE("a supervisor that had to end a tree serves no more", "[process][C-20]") {
  RunnerFixture fixture;
  const pid_t supervisor = fixture.supervisor_of_next_command();
  fixture.bash("sleep 300", milliseconds(50));
  const pid_t second = fixture.supervisor_of_next_command();
  CHECK(second != supervisor);
  const auto run = fixture.start_bash("echo up; sleep 300");
  fixture.pump_until([&] { return run->command->output_bytes() > 0; });
  run->command->cancel();
  fixture.finish(*run);
  CHECK(fixture.supervisor_of_next_command() != second);
  fixture.pump_until([&] { return !process_exists(supervisor) && !process_exists(second); });
}

TEST_CASE("a supervisor whose priority its command has changed serves no more", "[process][C-16]") {
  RunnerFixture fixture;
  const pid_t supervisor = fixture.supervisor_of_next_command();
  CHECK(exited_with(fixture.bash("renice -n 5 -p $PPID >/dev/null"), 0));
  CHECK(fixture.supervisor_of_next_command() != supervisor);
}

TEST_CASE("a supervisor that waits may be killed or stopped, and the next command runs", "[process][C-30]") {
  RunnerFixture fixture;
  const pid_t killed = fixture.supervisor_of_next_command();
  ::kill(killed, SIGKILL);
  fixture.pump_until([&] { return !process_exists(killed); });
  CHECK(fixture.bash("echo fine").standard_output.text == "fine\n");

  const pid_t supervisor = fixture.supervisor_of_next_command();
  CHECK(supervisor != killed);
  ::kill(supervisor, SIGSTOP);
  CHECK(fixture.supervisor_of_next_command() == supervisor);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGUSR1, SIGCHLD}) ::kill(supervisor, signal);
  CHECK(fixture.supervisor_of_next_command() == supervisor);
}

TEST_CASE("many commands at once keep few supervisors", "[process][C-23]") {
  RunnerFixture fixture;
  std::vector<std::shared_ptr<Run>> runs;
  for (int i = 0; i < 20; ++i) runs.push_back(fixture.start_bash("echo $PPID; exit 4"));
  std::vector<pid_t> supervisors;
  for (const auto& run : runs) {
    CHECK(exited_with(fixture.finish(*run), 4));
    supervisors.push_back(static_cast<pid_t>(std::stol(run->outcome->standard_output.text)));
  }
  const auto alive = [&] {
    return std::count_if(supervisors.begin(), supervisors.end(), [](pid_t pid) { return process_exists(pid); });
  };
  fixture.pump_until([&] { return alive() <= 4 && zombie_children() == 0; });
  CHECK(process_exists(fixture.supervisor_of_next_command()));
}
