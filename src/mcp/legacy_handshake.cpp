#include "mcp/legacy_handshake.hpp"

#include <algorithm>
#include <cowork_terminal/jsonrpc/message.hpp>
#include <string>

#include "mcp/result_shape.hpp"

namespace cowork_terminal::mcp {

namespace {

using nlohmann::json;

const RevisionFeatures& revision_for(const std::string& asked) {
  const auto found = std::find_if(legacy_revisions.begin(), legacy_revisions.end(),
                                  [&](const auto* revision) { return revision->name == asked; });
  return found == legacy_revisions.end() ? latest_legacy_revision : **found;
}

std::string name_in(const json& params) {
  const auto info = params.find("clientInfo");
  if (info == params.end() || !info->is_object()) return {};
  const auto name = info->find("name");
  return name != info->end() && name->is_string() ? name->get<std::string>() : std::string{};
}

}  // namespace

LegacySession negotiate(const json& params) {
  const auto version = params.is_object() ? params.find("protocolVersion") : params.end();
  if (version == params.end() || !version->is_string())
    throw jsonrpc::Error{jsonrpc::ErrorCode::invalid_params,
                         "Invalid params: protocolVersion is required and must be a string, such as \"" +
                             std::string(latest_legacy_revision.name) + "\""};
  const auto capabilities = params.find("capabilities");
  return {&revision_for(version->get_ref<const std::string&>()),
          capabilities != params.end() && capabilities->is_object() ? *capabilities : json::object(), name_in(params)};
}

json initialize_result(const LegacySession& session, const ServerIdentity& identity) {
  json result{{"protocolVersion", session.revision->name},
              {"capabilities", {{"tools", json::object()}}},
              {"serverInfo", server_info(identity, *session.revision)}};
  if (!identity.instructions.empty()) result["instructions"] = identity.instructions;
  return result;
}

}  // namespace cowork_terminal::mcp
