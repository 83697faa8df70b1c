#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/policy/audit_log.hpp>
#include <cowork_terminal/policy/audited_command_runner.hpp>
#include <string>
#include <utility>

namespace cowork_terminal::policy {

namespace {

void add(AuditLog::Bytes& written, const process::CapturedOutput& standard_output,
         const process::CapturedOutput& standard_error) {
  written.standard_output += standard_output.total_bytes;
  written.standard_error += standard_error.total_bytes;
}

// Counts what is taken while the command runs: its outcome knows only of what came after.
class AuditedCommand final : public process::RunningCommand {
 public:
  AuditedCommand(std::shared_ptr<process::RunningCommand> running, std::shared_ptr<AuditLog::Bytes> written)
      : running_(std::move(running)), written_(std::move(written)) {}

  void cancel() override { running_->cancel(); }
  [[nodiscard]] std::int64_t pid() const override { return running_->pid(); }
  [[nodiscard]] std::uint64_t output_bytes() const override { return running_->output_bytes(); }
  Output take_output() override {
    Output output = running_->take_output();
    add(*written_, output.standard_output, output.standard_error);
    return output;
  }

 private:
  std::shared_ptr<process::RunningCommand> running_;
  std::shared_ptr<AuditLog::Bytes> written_;
};

class RefusedCommand final : public process::RunningCommand {
 public:
  void cancel() override {}
  [[nodiscard]] std::int64_t pid() const override { return 0; }
  [[nodiscard]] std::uint64_t output_bytes() const override { return 0; }
  Output take_output() override { return {}; }
};

}  // namespace

AuditedCommandRunner::AuditedCommandRunner(loop::EventLoop& loop, process::CommandRunner& next, AuditLog& log)
    : loop_(loop), next_(next), log_(log) {}

std::shared_ptr<process::RunningCommand> AuditedCommandRunner::start(process::Command command,
                                                                     process::Completion completion) {
  const bool has_id = command.record && !command.record->id.empty();
  std::string id = has_id ? command.record->id : log_.new_id();
  if (auto refusal = log_.started(id, command)) {
    loop_.post([completion = std::move(completion), reason = std::move(*refusal)] {
      process::CommandOutcome outcome;
      outcome.ending = process::FailedToStart{reason};
      completion(std::move(outcome));
    });
    return std::make_shared<RefusedCommand>();
  }
  auto written = std::make_shared<AuditLog::Bytes>();
  auto running = next_.start(std::move(command), [written, id = std::move(id), &log = log_,
                                                  completion = std::move(completion)](process::CommandOutcome outcome) {
    add(*written, outcome.standard_output, outcome.standard_error);
    log.ended(id, outcome, *written);
    completion(std::move(outcome));
  });
  return std::make_shared<AuditedCommand>(std::move(running), std::move(written));
}

void AuditedCommandRunner::end_all(std::chrono::milliseconds grace) { next_.end_all(grace); }

}  // namespace cowork_terminal::policy
