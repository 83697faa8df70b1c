#include <chrono>
#include <cowork_terminal/process/command_runner.hpp>
#include <cowork_terminal/shell/bash_version.hpp>
#include <utility>

#include "shell/version_text.hpp"

namespace cowork_terminal::shell {

std::string find_bash_version(std::string_view output) {
  const auto line = output.substr(0, output.find('\n'));
  constexpr std::string_view word = "version ";
  const auto start = line.find(word);
  if (!line.starts_with("GNU bash") || start == std::string_view::npos) return {};
  const auto version = line.substr(start + word.size());
  return std::string{version.substr(0, version.find_first_of(" \r"))};
}

void ask_bash_version(process::CommandRunner& runner, const std::string& bash,
                      std::function<void(std::string version)> done) {
  process::Command command;
  command.argv = {bash, "--version"};
  // Its own folder: absolute and there, on every system.
  command.working_directory = bash.substr(0, bash.find_last_of("/\\") + 1);
  command.environment = process::Environment::current();
  // Translations may put the words in another order.
  command.environment.set("LC_ALL", "C");
  command.timeout = std::chrono::seconds(5);
  runner.start(std::move(command), [done = std::move(done)](process::CommandOutcome outcome) {
    done(find_bash_version(outcome.standard_output.text));
  });
}

}  // namespace cowork_terminal::shell
