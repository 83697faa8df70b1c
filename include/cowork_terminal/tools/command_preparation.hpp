#pragma once

#include <chrono>
#include <cowork_terminal/process/command.hpp>
#include <cowork_terminal/tools/execute_arguments.hpp>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace cowork_terminal::tools {

// What holds for every command of this process.
struct ExecuteSettings {
  std::string bash;                               // absolute path
  std::size_t output_limit = 1'048'576;           // bytes per stream (contract C-12a)
  process::OutputFolder* whole_output = nullptr;  // see process::Command::whole_output
  std::chrono::milliseconds max_wait{0};          // 0: a call lasts as long as its command (contract §7, --max-wait)
};

// Of a call without `timeout`: 30 s, or 10 minutes where a command may outlive its call (contract §2, §7).
constexpr std::chrono::milliseconds default_timeout(std::chrono::milliseconds max_wait) {
  return max_wait > std::chrono::milliseconds(0) ? std::chrono::minutes(10) : std::chrono::milliseconds(30'000);
}

struct PreparedCommand {
  process::Command command;
  std::vector<std::string> notes;
};

// From the arguments of a call to what the runner starts: directory checked, environment laid over `base`, command text
// turned into an invocation of bash. `base` already follows contract C-18.
std::variant<PreparedCommand, Refusal> prepare_command(ExecuteArguments arguments, const ExecuteSettings& settings,
                                                       const process::Environment& base);

}  // namespace cowork_terminal::tools
