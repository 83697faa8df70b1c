#pragma once

#include <cowork_terminal/mcp/server.hpp>
#include <nlohmann/json.hpp>

#include "mcp/request_context.hpp"

namespace cowork_terminal::mcp {

// What an `initialize` with these params leads to: the revision asked for, or our latest legacy one. Throws
// jsonrpc::Error if it names none (protocol.md §2.1).
LegacySession negotiate(const nlohmann::json& params);

nlohmann::json initialize_result(const LegacySession& session, const ServerIdentity& identity);

}  // namespace cowork_terminal::mcp
