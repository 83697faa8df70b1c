#pragma once

#include <sys/types.h>

#include <cowork_terminal/loop/asio.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cowork_terminal::process::testing {

using std::chrono::milliseconds;

// A command in flight and, later, what became of it.
struct Run {
  std::shared_ptr<RunningCommand> command;
  std::optional<CommandOutcome> outcome;
  int completions = 0;
};

// A runner on a loop that the test drives. All waiting has a deadline; one that passes throws.
class RunnerFixture {
 public:
  RunnerFixture() : runner_(make_local_command_runner(loop_)) {}
  // Waits until the loop has reaped everything, so that no test sees the children of another.
  ~RunnerFixture();
  RunnerFixture(const RunnerFixture&) = delete;
  RunnerFixture& operator=(const RunnerFixture&) = delete;

  CommandRunner& runner() { return *runner_; }
  void destroy_runner() { runner_.reset(); }

  std::shared_ptr<Run> start(Command command);
  std::shared_ptr<Run> start_bash(const std::string& text, milliseconds timeout = milliseconds(60'000));
  const CommandOutcome& finish(Run& run, milliseconds patience = milliseconds(60'000));
  CommandOutcome run(Command command) { return finish(*start(std::move(command))); }
  pid_t supervisor_of_next_command();
  // More than supervisors are kept, all at once.
  std::vector<std::shared_ptr<Run>> start_many(const Command& command);
  CommandOutcome bash(const std::string& text, milliseconds timeout = milliseconds(60'000));

  void pump_until(const std::function<bool()>& condition, milliseconds patience = milliseconds(30'000));

 private:
  loop::EventLoop loop_;
  std::unique_ptr<CommandRunner> runner_;
};

Command bash_command(const std::string& text);
// The child program of tests/support with these arguments.
Command child_command(std::vector<std::string> arguments);
// The same as words of a shell command line.
std::string child(const std::string& arguments);

// A word that no other process has in its command line.
std::string unique_token();
// Processes that have the token in their command line, the dead ones and those that look for it left out.
std::vector<long> processes_with(const std::string& token);
bool process_exists(long pid);  // zombies do not
std::size_t zombie_children();
std::size_t open_descriptors();

bool exited_with(const CommandOutcome& outcome, int code);
std::string reason_of(const CommandOutcome& outcome);  // empty if it started
std::string note_of(const CommandOutcome& outcome);    // all of them, in lines

// A folder that goes away with its content.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string path(const std::string& name = "") const;

 private:
  std::string path_;
};

}  // namespace cowork_terminal::process::testing
