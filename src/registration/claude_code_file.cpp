#include "registration/claude_code_file.hpp"

#include <cowork_terminal/registration/client.hpp>
#include <optional>

#include "registration/config_file.hpp"
#include "registration/config_format.hpp"
#include "registration/document_error.hpp"
#include "registration/jsonc_parser.hpp"

namespace cowork_terminal::registration {
namespace {

using Json = nlohmann::ordered_json;

Json member(const Json& object, const std::string& key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? Json() : *found;
}

}  // namespace

ClaudeCodeFile read_claude_code_file(const std::filesystem::path& path) {
  ClaudeCodeFile result;
  const std::optional<std::string> text = read_config_file(path).text;
  if (!text) return result;
  result.exists = true;
  const auto format = format_of(*find_client("claude-code"));
  result.user_entries = format->entries(*text);

  const std::string_view plain = checked_utf8(*text);
  const JsoncDocument document = parse_jsonc(plain);
  if (!document.root) return result;
  const Json root = to_json(plain, *document.root);
  if (Json servers = member(root, "mcpServers"); servers.is_object()) result.user_servers = std::move(servers);
  const Json projects = member(root, "projects");
  if (!projects.is_object()) return result;
  for (const auto& [folder, project] : projects.items()) {
    const Json servers = member(project, "mcpServers");
    if (!servers.is_object()) continue;
    for (ServerEntry& entry : format->entries(
             Json::object({{"mcpServers", servers}}).dump(-1, ' ', false, Json::error_handler_t::replace))) {
      result.project_entries.push_back({folder, std::move(entry)});
    }
  }
  return result;
}

}  // namespace cowork_terminal::registration
