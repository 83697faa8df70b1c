#pragma once

#include <chrono>
#include <cowork_terminal/mcp/tool.hpp>
#include <string>
#include <vector>

namespace cowork_terminal::tools {

// What `tools/list` says of `execute_command` (contract §2), with the parameters of jobs if `max_wait` is above 0.
mcp::ToolDefinition execute_command_definition(std::chrono::milliseconds max_wait);

// The names of its parameters, in the order in which they are listed to a caller.
std::vector<std::string> execute_command_parameters(std::chrono::milliseconds max_wait);

}  // namespace cowork_terminal::tools
