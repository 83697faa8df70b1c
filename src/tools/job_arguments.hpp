#pragma once

#include <chrono>
#include <cowork_terminal/tools/execute_arguments.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cowork_terminal::tools {

// A call that gives a command.
struct StartCommand {
  ExecuteArguments arguments;
  std::optional<std::chrono::milliseconds> wait;  // none: until the command ends
  std::vector<std::string> notes;
};

// A call that gives the id of a job.
struct FollowUp {
  std::string job;
  bool stop = false;
  std::optional<std::chrono::milliseconds> wait;  // none: until the command ends
  std::vector<std::string> notes;
};

// The arguments of a call. With a `max_wait` above 0 the parameters `wait`, `job` and `stop` exist too, and exactly one
// of `command` and `job` is given.
std::variant<StartCommand, FollowUp, Refusal> parse_call_arguments(const nlohmann::json& arguments,
                                                                   std::chrono::milliseconds max_wait);

}  // namespace cowork_terminal::tools
