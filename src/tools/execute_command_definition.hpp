#pragma once

#include <cowork_terminal/mcp/tool.hpp>
#include <string>
#include <vector>

namespace cowork_terminal::tools {

// What `tools/list` says of `execute_command` (contract §2).
mcp::ToolDefinition execute_command_definition();

// The names of its parameters, in the order in which they are listed to a caller.
const std::vector<std::string>& execute_command_parameters();

}  // namespace cowork_terminal::tools
