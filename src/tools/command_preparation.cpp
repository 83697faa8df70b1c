#include <cowork_terminal/shell/bash_invocation.hpp>
#include <cowork_terminal/shell/home_directory.hpp>
#include <cowork_terminal/shell/working_directory.hpp>
#include <cowork_terminal/tools/command_preparation.hpp>
#include <utility>

namespace cowork_terminal::tools {

namespace {

void add_note(std::vector<std::string>& notes, std::string note) {
  if (!note.empty()) notes.push_back(std::move(note));
}

void lay_over(process::Environment& environment, const ExecuteArguments& arguments) {
  for (const auto& [name, value] : arguments.environment) {
    if (value) {
      environment.set(name, *value);
    } else {
      environment.remove(name);
    }
  }
}

}  // namespace

std::variant<PreparedCommand, Refusal> prepare_command(ExecuteArguments arguments, const ExecuteSettings& settings,
                                                       const process::Environment& base) {
  PreparedCommand prepared;
  auto& [command, notes] = prepared;

  auto home = shell::home_directory(base);
  auto directory = shell::working_directory(arguments.working_directory, home.path);
  if (auto* refused = std::get_if<shell::RefusedDirectory>(&directory)) return Refusal{std::move(refused->reason)};
  auto& [path, directory_note] = std::get<shell::WorkingDirectory>(directory);
  if (arguments.working_directory.empty()) add_note(notes, std::move(home.note));
  add_note(notes, std::move(directory_note));
  command.working_directory = std::move(path);

  command.timeout = default_timeout(settings.max_wait);
  if (arguments.timeout) {
    command.timeout = arguments.timeout->duration;
    if (arguments.timeout->lowered) notes.emplace_back("timeout was lowered to 2147483647 ms, the largest there is.");
  }

  process::CommandRecord record{arguments.command, {}, {}};
  for (const auto& [name, value] : arguments.environment) record.env_names.push_back(name);
  command.record = std::move(record);

  command.output_limit = settings.output_limit;
  command.whole_output = settings.whole_output;
  command.environment = base;
  lay_over(command.environment, arguments);
  auto invocation = shell::invoke_bash(settings.bash, std::move(arguments.command));
  command.argv = std::move(invocation.argv);
  command.script = std::move(invocation.script);
  return prepared;
}

}  // namespace cowork_terminal::tools
