#pragma once

#include <chrono>
#include <cowork_terminal/process/command_runner.hpp>
#include <memory>

namespace cowork_terminal::loop {
class EventLoop;
}

namespace cowork_terminal::policy {

class AuditLog;

// Writes a line to the log before each command is given to `next` and one when it has ended, however it did. To be the
// outermost runner, so that what others refuse is logged too. Without a `record`, argv stands for the command.
class AuditedCommandRunner final : public process::CommandRunner {
 public:
  // All outlive it.
  AuditedCommandRunner(loop::EventLoop& loop, process::CommandRunner& next, AuditLog& log);

  std::shared_ptr<process::RunningCommand> start(process::Command command, process::Completion completion) override;
  void end_all(std::chrono::milliseconds grace) override;

 private:
  loop::EventLoop& loop_;
  process::CommandRunner& next_;
  AuditLog& log_;
};

}  // namespace cowork_terminal::policy
