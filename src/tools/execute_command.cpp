#include <cowork_terminal/tools/execute_command.hpp>
#include <utility>

#include "tools/execute_command_definition.hpp"
#include "tools/job.hpp"
#include "tools/job_arguments.hpp"
#include "tools/job_table.hpp"

namespace cowork_terminal::tools {

namespace {

using std::chrono::milliseconds;

struct Surroundings {
  loop::EventLoop& loop;
  process::CommandRunner& runner;
  ExecuteSettings settings;
  EnvironmentSource environment;
  CommandRecorder recorder;
};

class ExecuteCommand final : public mcp::Tool {
 public:
  explicit ExecuteCommand(Surroundings surroundings)
      : surroundings_(std::move(surroundings)),
        definition_(execute_command_definition(surroundings_.settings.max_wait)) {}

  const mcp::ToolDefinition& definition() const override { return definition_; }

  void call(std::shared_ptr<mcp::ToolCall> call) override {
    auto parsed = parse_call_arguments(call->arguments(), max_wait());
    if (auto* refusal = std::get_if<Refusal>(&parsed)) return refuse(*call, {}, std::move(*refusal));
    if (auto* follow_up = std::get_if<FollowUp>(&parsed)) return follow(std::move(call), std::move(*follow_up));
    start(std::move(call), std::get<StartCommand>(std::move(parsed)));
  }

 private:
  [[nodiscard]] milliseconds max_wait() const { return surroundings_.settings.max_wait; }

  void start(std::shared_ptr<mcp::ToolCall> call, StartCommand start) {
    if (max_wait() > milliseconds(0) && jobs_.full()) {
      return refuse(
          *call, start.arguments.command,
          {"16 jobs are running, as many as there may be. Wait for one or stop one first. " + jobs_.listing()});
    }
    const auto cancelled = std::make_shared<bool>(false);
    call->on_cancel([cancelled] { *cancelled = true; });
    surroundings_.environment(
        [this, call, cancelled, start = std::move(start)](const process::Environment& environment) mutable {
          if (!*cancelled) launch(std::move(call), std::move(start), environment);
        });
  }

  void launch(std::shared_ptr<mcp::ToolCall> call, StartCommand start, const process::Environment& environment) {
    const auto command_text = start.arguments.command;
    auto prepared = prepare_command(std::move(start.arguments), surroundings_.settings, environment);
    if (auto* refusal = std::get_if<Refusal>(&prepared)) return refuse(*call, command_text, std::move(*refusal));
    auto& command = std::get<PreparedCommand>(prepared);
    command.command.record->id = make_job_id();
    const auto job = std::make_shared<Job>(surroundings_.loop, command.command.record->id, command_text,
                                           surroundings_.settings, job_events());
    job->launch(surroundings_.runner, std::move(command));
    job->ask({std::move(call), Asker::starter, start.wait, std::move(start.notes)});
  }

  void follow(std::shared_ptr<mcp::ToolCall> call, FollowUp follow_up) {
    auto found = jobs_.find(follow_up.job);
    if (auto* refusal = std::get_if<Refusal>(&found)) return refuse(*call, {}, std::move(*refusal));
    const auto& job = std::get<std::shared_ptr<Job>>(found);
    if (follow_up.stop) job->stop();
    job->ask({std::move(call), Asker::follower, follow_up.wait, std::move(follow_up.notes)});
  }

  JobEvents job_events() {
    auto events = jobs_.events();
    events.publish = [publish = std::move(events.publish),
                      recorder = surroundings_.recorder](std::shared_ptr<Job> job) {
      const auto id = job->id();
      if (!publish(std::move(job))) return false;
      if (recorder.became_job) recorder.became_job(id);
      return true;
    };
    return events;
  }

  void refuse(mcp::ToolCall& call, const std::string& command, Refusal refusal) {
    if (surroundings_.recorder.refused) surroundings_.recorder.refused(command, refusal.text);
    call.finish(mcp::ToolResult::refusal(std::move(refusal.text)));
  }

  Surroundings surroundings_;
  mcp::ToolDefinition definition_;
  JobTable jobs_;
};

}  // namespace

std::unique_ptr<mcp::Tool> make_execute_command(loop::EventLoop& loop, process::CommandRunner& runner,
                                                ExecuteSettings settings, EnvironmentSource environment,
                                                CommandRecorder recorder) {
  return std::make_unique<ExecuteCommand>(
      Surroundings{loop, runner, std::move(settings), std::move(environment), std::move(recorder)});
}

}  // namespace cowork_terminal::tools
