#pragma once

#include <chrono>
#include <cowork_terminal/process/command.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace cowork_terminal::process {

// A command in flight. Letting go of it changes nothing for the command. Loop thread only.
class RunningCommand {
 public:
  virtual ~RunningCommand() = default;

  // Ends the whole tree as at a timeout (contract C-20); the outcome is Cancelled. No effect after the completion.
  virtual void cancel() = 0;
  // Of the program itself; 0 before the launch.
  [[nodiscard]] virtual std::int64_t pid() const = 0;
  // Written by the command so far, both streams together, in bytes.
  [[nodiscard]] virtual std::uint64_t output_bytes() const = 0;

  struct Output {
    CapturedOutput standard_output;
    CapturedOutput standard_error;
  };
  // Moves out what was captured since the last call, whole characters only; from here on the full limit counts again,
  // and the outcome will hold only what comes after.
  virtual Output take_output() = 0;
};

// Exactly once per start(), on the loop thread, never from inside start() or cancel().
using Completion = std::function<void(CommandOutcome)>;

// Runs commands. Policies (queue, audit, sandbox) are decorators of this interface. Loop thread only; never blocks.
class CommandRunner {
 public:
  virtual ~CommandRunner() = default;

  virtual std::shared_ptr<RunningCommand> start(Command command, Completion completion) = 0;

  // The server is leaving: SIGTERM to every running tree now, SIGKILL after `grace`. Commands end as what became of
  // them, with a note; what has not been launched by now never is and ends as FailedToStart. May be called again with a
  // shorter grace.
  virtual void end_all(std::chrono::milliseconds grace) = 0;
};

}  // namespace cowork_terminal::process
