#include <cowork_terminal/app/exec_command.hpp>
#include <cowork_terminal/app/run_program.hpp>
#include <cowork_terminal/app/startup.hpp>
#include <cowork_terminal/shell/command_environment.hpp>
#include <cowork_terminal/tools/command_preparation.hpp>
#include <cowork_terminal/tools/execute_result.hpp>
#include <csignal>
#include <cstdio>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace cowork_terminal::app {

namespace {

// As timeout(1) and shells have it.
constexpr int exit_code_of_timeout = 124;
constexpr int exit_code_of_interrupt = 128 + SIGINT;

void print(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

int fail(int exit_code, const std::string& text) {
  print(stderr, "cowork-terminal-mcp: " + text + "\n");
  return exit_code;
}

int exit_code(const ProgramRun& run) {
  if (run.signal != 0) return 128 + run.signal;
  if (const auto* exited = std::get_if<process::Exited>(&run.outcome.ending)) return exited->code;
  if (const auto* signaled = std::get_if<process::Signaled>(&run.outcome.ending)) return 128 + signaled->signal;
  return std::holds_alternative<process::TimedOut>(run.outcome.ending) ? exit_code_of_timeout : exit_code_of_interrupt;
}

// There is no answer line whose room has to be kept.
constexpr mcp::ResultRoom unlimited_room{std::numeric_limits<std::size_t>::max() / 2, false};

}  // namespace

int run_exec(ExecOptions options) {
  const auto bash = require_bash(options.common.bash);
  const tools::ExecuteSettings settings{bash.path, options.common.max_output, nullptr, {}};
  const auto environment = shell::command_environment(process::Environment::current(), bash.path_prefix);

  auto prepared = tools::prepare_command(std::move(options.arguments), settings, environment);
  if (const auto* refusal = std::get_if<tools::Refusal>(&prepared)) return fail(2, refusal->text);
  auto& [command, notes] = std::get<tools::PreparedCommand>(prepared);

  const auto timeout = command.timeout;
  auto run = run_program(std::move(command));
  if (const auto* failed = std::get_if<process::FailedToStart>(&run.outcome.ending)) return fail(1, failed->reason);
  if (std::holds_alternative<process::TimedOut>(run.outcome.ending)) notes.push_back(tools::timeout_note(timeout));
  const int code = exit_code(run);
  const auto result =
      tools::execute_result(std::move(run.outcome), std::move(notes), settings.output_limit, unlimited_room);
  if (options.json) {
    print(stdout, result.dump() + "\n");
    return code;
  }
  print(stdout, result.at("stdout").get_ref<const std::string&>());
  print(stderr, result.at("stderr").get_ref<const std::string&>());
  if (result.contains("notes")) {
    for (const auto& note : result.at("notes")) print(stderr, "note: " + note.get<std::string>() + "\n");
  }
  return code;
}

}  // namespace cowork_terminal::app
