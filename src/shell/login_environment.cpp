#include <chrono>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/command_runner.hpp>
#include <cowork_terminal/shell/login_environment.hpp>
#include <utility>
#include <vector>

#include "shell/environment_report.hpp"
#include "shell/login_shell.hpp"

namespace cowork_terminal::shell {

namespace {

process::Command question(const std::string& shell, ShellStart start, std::string_view mark,
                          process::Environment environment, const std::string& home) {
  process::Command command;
  command.argv = report_command(shell, start, mark);
  command.working_directory = home;
  command.environment = std::move(environment);
  // Without these, profiles complain of the terminal, ask about updates, or put a terminal multiplexer in their place.
  if (!command.environment.get("TERM")) command.environment.set("TERM", "dumb");
  if (!command.environment.get("HOME")) command.environment.set("HOME", home);
  command.environment.set("DISABLE_AUTO_UPDATE", "true");
  command.environment.set("ZSH_TMUX_AUTOSTART", "false");
  return command;
}

std::string describe_ending(const process::Ending& ending) {
  if (const auto* exited = std::get_if<process::Exited>(&ending)) {
    return "it ended with exit code " + std::to_string(exited->code) + " without reporting one";
  }
  if (const auto* signaled = std::get_if<process::Signaled>(&ending)) {
    return "it died of " + process::signal_name(signaled->signal);
  }
  if (const auto* failed = std::get_if<process::FailedToStart>(&ending)) return failed->reason;
  return "it did not report one in time";
}

// One question to one shell: the interactive login first; if its profile ends or replaces the shell, the plain login.
class Inquiry : public std::enable_shared_from_this<Inquiry> {
 public:
  Inquiry(process::CommandRunner& runner, std::string shell, process::Environment server, std::string home,
          std::function<void(LoginShellReport)> done)
      : runner_(runner),
        shell_(std::move(shell)),
        server_(std::move(server)),
        home_(std::move(home)),
        done_(std::move(done)) {}

  void start(loop::EventLoop& loop, std::chrono::milliseconds limit) {
    limit_ = limit;
    timer_ = loop.after(limit, [self = shared_from_this()] { self->time_is_up(); });
    ask(ShellStart::interactive_login);
  }

 private:
  void ask(ShellStart start) {
    running_ = runner_.start(
        question(shell_, start, mark_, server_, home_),
        [self = shared_from_this(), start](process::CommandOutcome outcome) { self->ended(start, outcome); });
  }

  void ended(ShellStart start, const process::CommandOutcome& outcome) {
    running_.reset();
    if (!done_) return;
    auto environment = parse_report(outcome.standard_output.text, mark_);
    const bool exited = std::holds_alternative<process::Exited>(outcome.ending);
    if (!environment && exited && start == ShellStart::interactive_login) return ask(ShellStart::login);
    finish(std::move(environment), describe_ending(outcome.ending));
  }

  // What hangs may be the end of the profile's own: the report may be there already.
  void time_is_up() {
    auto environment = running_ ? parse_report(running_->take_output().standard_output.text, mark_) : std::nullopt;
    finish(std::move(environment), "it did not report one within " + std::to_string(limit_.count()) + " ms");
    if (running_) running_->cancel();
  }

  void finish(std::optional<process::Environment> environment, std::string why) {
    if (!done_) return;
    timer_.cancel();
    LoginShellReport report{shell_, std::move(environment), {}};
    if (!report.environment) report.failure = "The login shell " + shell_ + " gave no environment: " + why + ".";
    std::exchange(done_, nullptr)(std::move(report));
  }

  process::CommandRunner& runner_;
  std::string shell_;
  process::Environment server_;
  std::string home_;
  std::function<void(LoginShellReport)> done_;
  std::string mark_ = new_report_mark();
  std::shared_ptr<process::RunningCommand> running_;
  std::chrono::milliseconds limit_{};
  loop::Timer timer_;
};

}  // namespace

bool wants_login_environment(LoginEnvironmentMode mode, const process::Environment& server) {
  if (mode == LoginEnvironmentMode::never || login_shell(server).empty()) return false;
  return mode == LoginEnvironmentMode::always || !server.get("SHLVL");
}

void ask_login_shell(loop::EventLoop& loop, process::CommandRunner& runner, const process::Environment& server,
                     const std::string& home, std::function<void(LoginShellReport)> done,
                     std::chrono::milliseconds limit) {
  std::string shell = login_shell(server);
  if (shell.empty()) {
    loop.post([done = std::move(done)] { done({{}, std::nullopt, "There is no login shell to ask."}); });
    return;
  }
  std::make_shared<Inquiry>(runner, std::move(shell), server, home, std::move(done))->start(loop, limit);
}

struct LoginEnvironment::State {
  loop::EventLoop& loop;
  process::CommandRunner& runner;
  process::Environment environment;  // the server's; once answered, the merged one
  std::string home;
  Log log;
  bool asked = false;
  bool answered = false;
  std::vector<Ready> waiting;

  void answer(const LoginShellReport& report) {
    if (report.environment) {
      environment = merge_login_environment(std::move(environment), *report.environment);
    } else {
      log(report.failure + " Commands get the server's own PATH; --login-env never stops the question.");
    }
    answered = true;
    for (const auto& ready : std::exchange(waiting, {})) ready(environment);
  }
};

LoginEnvironment::LoginEnvironment(loop::EventLoop& loop, process::CommandRunner& runner, process::Environment server,
                                   std::string home, Log log)
    : state_(std::make_shared<State>(
          State{loop, runner, std::move(server), std::move(home), std::move(log), false, false, {}})) {}

LoginEnvironment::~LoginEnvironment() = default;

void LoginEnvironment::get(Ready ready) {
  if (state_->answered) return ready(state_->environment);
  state_->waiting.push_back(std::move(ready));
  if (std::exchange(state_->asked, true)) return;
  ask_login_shell(state_->loop, state_->runner, state_->environment, state_->home,
                  [weak = std::weak_ptr<State>(state_)](const LoginShellReport& report) {
                    if (const auto state = weak.lock()) state->answer(report);
                  });
}

}  // namespace cowork_terminal::shell
