#pragma once

#include <cowork_terminal/process/environment.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace cowork_terminal::app {

// The absolute path of the program that `name` leads to in the PATH of this environment; absolute entries only.
std::optional<std::string> find_program(const process::Environment& environment, std::string_view name);

}  // namespace cowork_terminal::app
