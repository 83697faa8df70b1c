#pragma once

#include <cowork_terminal/jsonrpc/message.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/protocol.hpp"

namespace cowork_terminal::mcp {

// What the last `initialize` of this process agreed on.
struct LegacySession {
  const RevisionFeatures* revision;
  nlohmann::json client_capabilities;  // an object
  std::string client_name;
};

// What holds for one request, found out once: the two eras meet here.
struct RequestContext {
  Era era;
  const RevisionFeatures* revision;  // null: a legacy request before any handshake
  nlohmann::json client_capabilities = nlohmann::json::object();
  std::string client_name;
  nlohmann::json progress_token;  // string or integer; null: none was given

  [[nodiscard]] bool client_has(std::string_view capability) const;
  // Whether the client can put a form before its user.
  [[nodiscard]] bool client_shows_forms() const;
};

// Tells the eras apart by this request alone (protocol.md §3.1). Throws jsonrpc::Error for a `_meta` that is not as it
// must be and for a revision that is not served.
RequestContext resolve_request_context(const jsonrpc::Request& request, const std::optional<LegacySession>& session);

}  // namespace cowork_terminal::mcp
