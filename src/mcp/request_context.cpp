#include "mcp/request_context.hpp"

#include <algorithm>
#include <array>

#include "mcp/excerpt.hpp"

namespace cowork_terminal::mcp {

namespace {

using jsonrpc::Error;
using jsonrpc::ErrorCode;
using nlohmann::json;

Error invalid_meta(std::string_view key, std::string_view problem) {
  return {ErrorCode::invalid_params, "Invalid params: _meta[\"" + std::string(key) + "\"] " + std::string(problem)};
}

// `params._meta`; null if the request has none.
json meta_of(const json& params) {
  if (!params.is_object() || !params.contains("_meta")) return nullptr;
  const auto& meta = params.at("_meta");
  if (!meta.is_object()) throw Error{ErrorCode::invalid_params, "Invalid params: _meta must be an object"};
  return meta;
}

bool claims_modern_era(const std::string& method_name, const json& meta) {
  if (method_name == method::server_discover || method_name == method::subscriptions_listen) return true;
  return meta.is_object() && (meta.contains(meta_key::protocol_version) ||
                              meta.contains(meta_key::client_capabilities) || meta.contains(meta_key::client_info));
}

json progress_token_of(const json& meta) {
  if (!meta.is_object() || !meta.contains(meta_key::progress_token)) return nullptr;
  const auto& token = meta.at(meta_key::progress_token);
  if (!token.is_string() && !token.is_number_integer())
    throw invalid_meta(meta_key::progress_token, "must be a string or an integer");
  return token;
}

void check_log_level(const json& meta) {
  static constexpr std::array<std::string_view, 8> levels{"debug", "info",     "notice", "warning",
                                                          "error", "critical", "alert",  "emergency"};
  const auto level = meta.find(meta_key::log_level);
  if (level == meta.end()) return;
  if (!level->is_string() ||
      std::find(levels.begin(), levels.end(), level->get_ref<const std::string&>()) == levels.end())
    throw invalid_meta(meta_key::log_level,
                       "must be one of debug, info, notice, warning, error, critical, alert, emergency");
}

RequestContext modern_context(const json& meta) {
  const json none = json::object();
  const auto& members = meta.is_object() ? meta : none;
  const auto version = members.find(meta_key::protocol_version);
  if (version == members.end() || !version->is_string())
    throw invalid_meta(meta_key::protocol_version, "is required and must be a string");
  const auto capabilities = members.find(meta_key::client_capabilities);
  if (capabilities == members.end() || !capabilities->is_object())
    throw invalid_meta(meta_key::client_capabilities, "is required and must be an object");
  check_log_level(members);
  auto token = progress_token_of(members);

  const auto& requested = version->get_ref<const std::string&>();
  if (requested != modern_revision.name)
    throw Error{error_code::unsupported_protocol_version,
                "Unsupported protocol version",
                {{"supported", json::array({modern_revision.name})}, {"requested", excerpt(requested)}}};

  std::string client_name;
  if (const auto info = members.find(meta_key::client_info); info != members.end() && info->is_object())
    if (const auto name = info->find("name"); name != info->end() && name->is_string())
      client_name = name->get<std::string>();
  return {Era::modern, &modern_revision, *capabilities, std::move(client_name), std::move(token)};
}

}  // namespace

bool RequestContext::client_has(std::string_view capability) const {
  const auto member = client_capabilities.find(std::string(capability));
  return member != client_capabilities.end() && member->is_object();
}

bool RequestContext::client_shows_forms() const {
  if (revision == nullptr || revision->forms == FormDialect::none || !client_has("elicitation")) return false;
  if (revision->forms == FormDialect::basic) return true;
  // An empty object stands for forms, as before there were other modes.
  const auto& elicitation = client_capabilities.at("elicitation");
  return elicitation.contains("form") || !elicitation.contains("url");
}

RequestContext resolve_request_context(const jsonrpc::Request& request, const std::optional<LegacySession>& session) {
  const auto meta = meta_of(request.params);
  if (claims_modern_era(request.method, meta)) return modern_context(meta);
  auto token = progress_token_of(meta);
  if (!session) return {Era::legacy, nullptr, json::object(), {}, std::move(token)};
  return {Era::legacy, session->revision, session->client_capabilities, session->client_name, std::move(token)};
}

}  // namespace cowork_terminal::mcp
