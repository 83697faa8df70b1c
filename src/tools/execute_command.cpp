#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/tools/execute_command.hpp>
#include <cowork_terminal/tools/execute_result.hpp>
#include <utility>

#include "tools/execute_command_definition.hpp"
#include "tools/progress_message.hpp"

namespace cowork_terminal::tools {

namespace {

// Contract C-24.
constexpr std::chrono::seconds progress_interval{5};

struct Surroundings {
  loop::EventLoop& loop;
  process::CommandRunner& runner;
  ExecuteSettings settings;
  EnvironmentSource environment;
  RefusalRecord refused;
};

// One call from its arguments to its result. Keeps itself alive through the callbacks it is registered in.
class Execution : public std::enable_shared_from_this<Execution> {
 public:
  Execution(Surroundings& surroundings, std::shared_ptr<mcp::ToolCall> call)
      : surroundings_(surroundings), call_(std::move(call)) {}

  void begin() {
    auto parsed = parse_execute_arguments(call_->arguments());
    if (auto* refusal = std::get_if<Refusal>(&parsed)) return refuse(std::move(*refusal));
    call_->on_cancel([self = shared_from_this()] { self->cancel(); });
    surroundings_.environment(
        [self = shared_from_this(), arguments = std::get<ExecuteArguments>(std::move(parsed))](
            const process::Environment& base) mutable { self->launch(std::move(arguments), base); });
  }

 private:
  void launch(ExecuteArguments arguments, const process::Environment& base) {
    if (cancelled_) return;
    command_text_ = arguments.command;
    auto prepared = prepare_command(std::move(arguments), surroundings_.settings, base);
    if (auto* refusal = std::get_if<Refusal>(&prepared)) return refuse(std::move(*refusal));
    command_text_.clear();
    auto& [command, notes] = std::get<PreparedCommand>(prepared);
    notes_ = std::move(notes);
    timeout_ = command.timeout;
    running_ = surroundings_.runner.start(
        std::move(command),
        [self = shared_from_this()](process::CommandOutcome outcome) { self->complete(std::move(outcome)); });
    if (call_->wants_progress()) schedule_progress();
  }

  void schedule_progress() {
    progress_timer_ = surroundings_.loop.after(progress_interval, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->report_progress();
    });
  }

  void report_progress() {
    elapsed_ += progress_interval;
    call_->progress(static_cast<double>(elapsed_.count()),
                    progress_message(elapsed_, running_->pid() == 0, running_->output_bytes()));
    schedule_progress();
  }

  void complete(process::CommandOutcome outcome) {
    progress_timer_.cancel();
    if (auto* failed = std::get_if<process::FailedToStart>(&outcome.ending))
      return call_->finish(mcp::ToolResult::refusal(std::move(failed->reason)));
    if (std::holds_alternative<process::TimedOut>(outcome.ending)) {
      notes_.push_back("The command was ended after its timeout of " + std::to_string(timeout_.count()) +
                       " ms, with everything it had started. Give a larger `timeout` if it needs longer.");
    }
    call_->finish(mcp::ToolResult::success(
        execute_result(std::move(outcome), std::move(notes_), surroundings_.settings.output_limit, call_->room())));
  }

  void cancel() {
    cancelled_ = true;
    progress_timer_.cancel();
    if (running_) running_->cancel();
  }

  void refuse(Refusal refusal) {
    if (surroundings_.refused) surroundings_.refused(command_text_, refusal.text);
    call_->finish(mcp::ToolResult::refusal(std::move(refusal.text)));
  }

  Surroundings& surroundings_;
  std::shared_ptr<mcp::ToolCall> call_;
  std::shared_ptr<process::RunningCommand> running_;
  std::string command_text_;
  std::vector<std::string> notes_;
  std::chrono::milliseconds timeout_{0};
  loop::Timer progress_timer_;
  std::chrono::seconds elapsed_{0};
  bool cancelled_ = false;
};

class ExecuteCommand final : public mcp::Tool {
 public:
  explicit ExecuteCommand(Surroundings surroundings) : surroundings_(std::move(surroundings)) {}

  const mcp::ToolDefinition& definition() const override { return definition_; }

  void call(std::shared_ptr<mcp::ToolCall> call) override {
    std::make_shared<Execution>(surroundings_, std::move(call))->begin();
  }

 private:
  Surroundings surroundings_;
  mcp::ToolDefinition definition_ = execute_command_definition();
};

}  // namespace

std::unique_ptr<mcp::Tool> make_execute_command(loop::EventLoop& loop, process::CommandRunner& runner,
                                                ExecuteSettings settings, EnvironmentSource environment,
                                                RefusalRecord refused) {
  return std::make_unique<ExecuteCommand>(
      Surroundings{loop, runner, std::move(settings), std::move(environment), std::move(refused)});
}

}  // namespace cowork_terminal::tools
