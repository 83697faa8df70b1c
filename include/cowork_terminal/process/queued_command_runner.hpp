#pragma once

#include <cowork_terminal/process/command_runner.hpp>
#include <cstddef>
#include <deque>
#include <memory>

namespace cowork_terminal::loop {
class EventLoop;
}

namespace cowork_terminal::process {

// Contract C-22.
struct QueueLimits {
  std::size_t running = 64;
  std::size_t waiting = 1'024;
  std::size_t waiting_bytes = 64 * 1'024 * 1'024;  // of argv, script and environment together
};

// Lets a bounded number of commands run at once; the others wait, first come, first served, their timeouts not yet
// counting. Beyond the limits a command ends as FailedToStart at once.
class QueuedCommandRunner final : public CommandRunner {
 public:
  QueuedCommandRunner(loop::EventLoop& loop, CommandRunner& next, QueueLimits limits = {});
  ~QueuedCommandRunner() override;

  std::shared_ptr<RunningCommand> start(Command command, Completion completion) override;
  void end_all(std::chrono::milliseconds grace) override;

  // Nothing is launched while paused (contract C-27: a client that does not read its answers).
  void pause();
  void resume();

 private:
  class Entry;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace cowork_terminal::process
