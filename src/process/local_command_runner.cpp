#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <unordered_set>
#include <utility>

#include "process/launcher.hpp"
#include "process/local_command.hpp"

namespace cowork_terminal::process {

namespace {

class LocalCommandRunner final : public CommandRunner {
 public:
  explicit LocalCommandRunner(loop::EventLoop& loop) : loop_(loop), launcher_(make_launcher(loop)) {}

  ~LocalCommandRunner() override {
    for (const auto& command : std::exchange(*commands_, {})) command->abandon();
  }

  std::shared_ptr<RunningCommand> start(Command command, Completion completion) override {
    // The set is shared with the completions, which may run after the runner is gone.
    auto running = std::make_shared<LocalCommand>(
        loop_, command,
        [completion = std::move(completion), commands = commands_](LocalCommand& ended, CommandOutcome outcome) {
          const auto kept = commands->extract(ended.shared_from_this());
          completion(std::move(outcome));
        });
    commands_->insert(running);
    if (closing_) {
      running->refuse(FailedToStart{"The server is shutting down; the command was not run."});
    } else {
      running->launch(*launcher_, command);
    }
    return running;
  }

  void end_all(std::chrono::milliseconds grace) override {
    closing_ = true;
    for (const auto& command : *commands_) command->end_for_shutdown(grace);
  }

 private:
  using Commands = std::unordered_set<std::shared_ptr<LocalCommand>>;

  loop::EventLoop& loop_;
  std::unique_ptr<Launcher> launcher_;
  std::shared_ptr<Commands> commands_ = std::make_shared<Commands>();
  bool closing_ = false;
};

}  // namespace

std::unique_ptr<CommandRunner> make_local_command_runner(loop::EventLoop& loop) {
  return std::make_unique<LocalCommandRunner>(loop);
}

}  // namespace cowork_terminal::process
