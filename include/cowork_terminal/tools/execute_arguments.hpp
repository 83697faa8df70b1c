#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cowork_terminal::tools {

struct Timeout {
  std::chrono::milliseconds duration;
  bool lowered;  // to the largest there is, from a larger number
};

// The arguments of `execute_command` as values (contract C-4 … C-7).
struct ExecuteArguments {
  std::string command;
  std::string working_directory;  // as the caller wrote it; empty: not given
  std::optional<Timeout> timeout;
  // Set (a value) or removed (none) on top of the inherited environment, in the caller's order.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
};

// Why nothing was run, and what to change: one text for the model.
struct Refusal {
  std::string text;
};

// `arguments` is an object of valid UTF-8 strings; members that are no parameter are not looked at. Never throws for
// what a client can send.
std::variant<ExecuteArguments, Refusal> parse_execute_arguments(const nlohmann::json& arguments);

// The same rule for a name or value that came from elsewhere than JSON: empty if it may be set, else why not.
std::string refuse_variable_name(std::string_view name);

// Milliseconds written as digits, with a fraction or without; none if it is anything else, or 0.
std::optional<Timeout> parse_timeout_text(std::string_view text);

}  // namespace cowork_terminal::tools
