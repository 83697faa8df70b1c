#pragma once

#include <array>
#include <string_view>

// The words of MCP: revisions and what each of them defines, method names, `_meta` keys, error codes.
namespace cowork_terminal::mcp {

// Legacy: the revisions with a handshake. Modern: every request says for itself what it speaks.
enum class Era { legacy, modern };

// Which forms of a question (elicitation) a revision defines.
enum class FormDialect { none, basic, full, modern };

// The fields that a revision defines; nothing else is sent to a client that speaks it (protocol.md §2.2).
struct RevisionFeatures {
  std::string_view name;
  Era era;
  bool batches;             // JSON-RPC batches
  bool tool_annotations;    // Tool.annotations
  bool progress_message;    // `message` of notifications/progress
  bool structured_content;  // outputSchema, structuredContent; title and _meta of tools; serverInfo.title
  bool unknown_id_omitted;  // an error whose request id is unknown has no `id` instead of null
  FormDialect forms;
};

inline constexpr RevisionFeatures revision_2024_11_05{"2024-11-05", Era::legacy, false, false,
                                                      false,        false,       false, FormDialect::none};
inline constexpr RevisionFeatures revision_2025_03_26{"2025-03-26", Era::legacy, true,  true,
                                                      true,         false,       false, FormDialect::none};
inline constexpr RevisionFeatures revision_2025_06_18{"2025-06-18", Era::legacy, false, true,
                                                      true,         true,        false, FormDialect::basic};
inline constexpr RevisionFeatures revision_2025_11_25{"2025-11-25", Era::legacy, false, true,
                                                      true,         true,        true,  FormDialect::full};
inline constexpr RevisionFeatures revision_2026_07_28{"2026-07-28", Era::modern, false, true,
                                                      true,         true,        true,  FormDialect::modern};

inline constexpr std::array legacy_revisions{&revision_2024_11_05, &revision_2025_03_26, &revision_2025_06_18,
                                             &revision_2025_11_25};
inline constexpr const RevisionFeatures& latest_legacy_revision = revision_2025_11_25;
inline constexpr const RevisionFeatures& modern_revision = revision_2026_07_28;

namespace method {
inline constexpr std::string_view initialize = "initialize";
inline constexpr std::string_view ping = "ping";
inline constexpr std::string_view tools_list = "tools/list";
inline constexpr std::string_view tools_call = "tools/call";
inline constexpr std::string_view server_discover = "server/discover";
inline constexpr std::string_view subscriptions_listen = "subscriptions/listen";
inline constexpr std::string_view elicitation_create = "elicitation/create";
}  // namespace method

namespace notification {
inline constexpr std::string_view cancelled = "notifications/cancelled";
inline constexpr std::string_view progress = "notifications/progress";
inline constexpr std::string_view subscriptions_acknowledged = "notifications/subscriptions/acknowledged";
}  // namespace notification

namespace meta_key {
inline constexpr const char* protocol_version = "io.modelcontextprotocol/protocolVersion";
inline constexpr const char* client_capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr const char* client_info = "io.modelcontextprotocol/clientInfo";
inline constexpr const char* log_level = "io.modelcontextprotocol/logLevel";
inline constexpr const char* server_info = "io.modelcontextprotocol/serverInfo";
inline constexpr const char* subscription_id = "io.modelcontextprotocol/subscriptionId";
inline constexpr const char* progress_token = "progressToken";
}  // namespace meta_key

namespace error_code {
inline constexpr int missing_client_capability = -32021;
inline constexpr int unsupported_protocol_version = -32022;
}  // namespace error_code

}  // namespace cowork_terminal::mcp
