#include <cowork_terminal/app/environment_source.hpp>
#include <cowork_terminal/app/logging.hpp>
#include <cowork_terminal/shell/command_environment.hpp>
#include <cowork_terminal/shell/home_directory.hpp>
#include <memory>
#include <utility>

namespace cowork_terminal::app {

tools::EnvironmentSource environment_source(loop::EventLoop& loop, process::CommandRunner& runner,
                                            shell::LoginEnvironmentMode mode, const shell::BashLocation& bash) {
  auto server = process::Environment::current();
  if (!shell::wants_login_environment(mode, server)) {
    auto base = shell::command_environment(std::move(server), bash.path_prefix);
    return [base = std::move(base)](const auto& ready) { ready(base); };
  }
  auto home = shell::home_directory(server).path;
  auto login = std::make_shared<shell::LoginEnvironment>(loop, runner, std::move(server), std::move(home),
                                                         [](std::string_view line) { log(LogLevel::warn, line); });
  return [login, prefix = bash.path_prefix](auto ready) {
    login->get([ready = std::move(ready), prefix](const process::Environment& environment) {
      ready(shell::command_environment(environment, prefix));
    });
  };
}

}  // namespace cowork_terminal::app
