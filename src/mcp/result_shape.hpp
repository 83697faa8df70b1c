#pragma once

#include <cowork_terminal/mcp/server.hpp>
#include <cowork_terminal/mcp/tool.hpp>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "mcp/protocol.hpp"

namespace cowork_terminal::mcp {

// Implementation, as a revision has it.
nlohmann::json server_info(const ServerIdentity& identity, const RevisionFeatures& revision);

// Adds what every result of the modern era carries, `resultType` "complete" unless there is one.
nlohmann::json modern_result(nlohmann::json members, const ServerIdentity& identity);

// Entry of `tools/list`.
nlohmann::json tool_entry(const ToolDefinition& definition, const RevisionFeatures& revision);

// Members of CallToolResult, for a message that holds them as `result`. Text beyond `room` bytes, escapes included, is
// cut; structured content has been cut by its tool.
nlohmann::json call_tool_result(ToolResult result, const RevisionFeatures& revision, std::size_t room);

}  // namespace cowork_terminal::mcp
