// Every call of the system that a command needs, failing once: a named error for that one command, and nothing else.

#include <cerrno>

#include "failing_calls.hpp"
#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;

namespace {

struct Failure {
  std::string function;
  int error;
  std::string text;  // in the reason
  Command command;
  Where where = Where::here;
};

Command failing_script() {
  Command command = bash_command("");
  command.argv = {"/bin/bash"};
  command.script = "echo ran; echo err >&2; exit 3";
  return command;
}

bool went_well(const CommandOutcome& outcome) {
  return exited_with(outcome, 3) && outcome.standard_output.text == "ran\n" && outcome.standard_error.text == "err\n" &&
         outcome.notes.empty();
}

}  // namespace

TEST_CASE("a call that fails on the way to a program fails that command by name, and no other",
          "[process][C-23][C-30]") {
  RunnerFixture fixture;
  const Command command = bash_command("echo ran; echo err >&2; exit 3");
  for (const auto& run : fixture.start_many(command)) fixture.finish(*run);
  fixture.pump_until([] { return zombie_children() == 0; });
  const std::size_t descriptors = open_descriptors();
  const auto neighbour = fixture.start_bash("sleep 3; echo fine");

  const std::vector<Failure> failures{
      {"pipe2", EMFILE, "too many files are open", command},
      {"socketpair", ENFILE, "too many files are open", command},
      {"fork", EAGAIN, "no further process", command},
      {"fork", ENOMEM, "out of memory", command},
      {"epoll_ctl", ENOMEM, "out of memory", command},
      {"sendmsg", ENOMEM, "out of memory", command},
      {"recvmsg", ENOMEM, "has died. Try again", command, Where::in_children},
      {"dup2", EMFILE, "too many files are open", command, Where::in_children},
      {"chdir", EIO, "could not be entered", command, Where::in_children},
      {"execve", ENOMEM, "could not be started", command, Where::in_children},
      {"execve", EACCES, "may not be executed", failing_script(), Where::in_children},
  };
  for (const auto& failure : failures) {
    INFO(failure.function << ' ' << failure.error);
    int failed = 0;
    for (int nth = 1; nth <= 4; ++nth) {
      // All supervisors that wait are taken: the server has to make another.
      std::vector<std::shared_ptr<Run>> others;
      if (failure.where == Where::here) others = fixture.start_many(command);
      fail_call(failure.function, nth, failure.error, failure.where);
      const auto run = fixture.start(failure.command);
      if (failure.where == Where::here) disarm();
      const auto& outcome = fixture.finish(*run);
      for (const auto& other : others) {
        CHECK(went_well(fixture.finish(*other)));
      }
      disarm();
      CHECK(run->completions == 1);
      const auto reason = reason_of(outcome);
      if (reason.empty()) {
        CHECK(went_well(outcome));
      } else {
        INFO(reason);
        CHECK(reason.find(failure.text) != std::string::npos);
        CHECK(outcome.standard_output.text.empty());
        ++failed;
      }
    }
    CHECK(failed > 0);
  }
  CHECK(fixture.finish(*neighbour).standard_output.text == "fine\n");
  for (const auto& run : fixture.start_many(command)) CHECK(went_well(fixture.finish(*run)));
  // The end of a pipe may come a little after the answer.
  fixture.pump_until([&] { return zombie_children() == 0 && open_descriptors() == descriptors; });
}

TEST_CASE("a script that cannot be kept in memory is kept in a file, and one that cannot be kept at all is refused",
          "[process][C-15]") {
  RunnerFixture fixture;
  fail_call("write", 1, ENOSPC);
  const auto kept = fixture.start(failing_script());
  CHECK(disarm());
  CHECK(went_well(fixture.finish(*kept)));
}

TEST_CASE("output that cannot be read to its end is told", "[process][C-19]") {
  RunnerFixture fixture;
  const auto run = fixture.start_bash("echo one; sleep 1; echo two; exit 3");
  fixture.pump_until([&] { return run->command->output_bytes() == 4; });
  fail_call("read", 1, EIO);
  const auto& outcome = fixture.finish(*run);
  CHECK(disarm());
  CHECK(exited_with(outcome, 3));
  CHECK(note_of(outcome).find("could not be read to its end") != std::string::npos);
}

TEST_CASE("a supervisor that cannot be heard any more is replaced, and the command ended", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto run = fixture.start_bash("trap '' TERM; echo up; " + child("sleep 300 " + token) + "; true");
  fixture.pump_until([&] { return run->command->output_bytes() > 0; });
  fail_call("recv", 1, EIO);
  run->command->cancel();
  const auto& outcome = fixture.finish(*run);
  CHECK(disarm());
  CHECK(std::holds_alternative<Cancelled>(outcome.ending));
  fixture.pump_until([&] { return processes_with(token).empty(); });
}
