#include <algorithm>
#include <cowork_terminal/registration/client.hpp>
#include <optional>

namespace cowork_terminal::registration {
namespace {

using std::filesystem::path;

path folder_from(const Surroundings& surroundings, std::string_view variable, const path& otherwise) {
  const std::optional<std::string> value = surroundings.environment(variable);
  return value && !value->empty() ? path_from_utf8(*value) : otherwise;
}

path home_of(const Surroundings& surroundings) { return path_from_utf8(surroundings.home); }

path roaming_folder(const Surroundings& surroundings) {
  return folder_from(surroundings, "APPDATA", home_of(surroundings) / "AppData" / "Roaming");
}

path application_support(const Surroundings& surroundings) {
  return home_of(surroundings) / "Library" / "Application Support";
}

// The XDG Base Directory Specification: a path that is not absolute is to be ignored.
path xdg_config_folder(const Surroundings& surroundings) {
  const std::optional<std::string> value = surroundings.environment("XDG_CONFIG_HOME");
  return value && value->starts_with('/') ? path_from_utf8(*value) : home_of(surroundings) / ".config";
}

bool is_store_package_of_claude(std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name.starts_with("claude_");
}

// The first is the standard one.
std::vector<path> claude_desktop_folders(const Surroundings& surroundings) {
  if (surroundings.platform == Platform::macos) return {application_support(surroundings) / "Claude"};
  if (surroundings.platform == Platform::gnu_linux) return {xdg_config_folder(surroundings) / "Claude"};
  std::vector<path> folders{roaming_folder(surroundings) / "Claude"};
  const path local = folder_from(surroundings, "LOCALAPPDATA", home_of(surroundings) / "AppData" / "Local");
  const path packages = local / "Packages";
  for (const std::string& name : surroundings.subfolders(packages)) {
    if (!is_store_package_of_claude(name)) continue;
    folders.push_back(packages / path_from_utf8(name) / "LocalCache" / "Roaming" / "Claude");
  }
  return folders;
}

std::vector<path> claude_desktop_files(const Surroundings& surroundings) {
  static constexpr const char* file = "claude_desktop_config.json";
  const std::vector<path> folders = claude_desktop_folders(surroundings);
  std::vector<path> files;
  for (const path& folder : folders) {
    if (surroundings.folder_exists(folder)) files.push_back(folder / file);
  }
  if (files.empty()) files.push_back(folders.front() / file);
  return files;
}

path vscode_user_folder(const Surroundings& surroundings) {
  const path code = path("Code") / "User";
  if (surroundings.platform == Platform::macos) return application_support(surroundings) / code;
  if (surroundings.platform == Platform::windows) return roaming_folder(surroundings) / code;
  return home_of(surroundings) / ".config" / code;
}

}  // namespace

const std::vector<Client>& clients() {
  static const std::vector<Client> all{
      {"claude-desktop", "Claude Desktop", ConfigSyntax::plain_json, "mcpServers"},
      {"claude-code", "Claude Code", ConfigSyntax::plain_json, "mcpServers"},
      {"cursor", "Cursor", ConfigSyntax::json_with_comments, "mcpServers"},
      {"vscode", "VS Code", ConfigSyntax::json_with_comments, "servers", EntryType::stdio},
      {"codex", "Codex", ConfigSyntax::toml, "mcp_servers"},
  };
  return all;
}

const Client* find_client(std::string_view name) {
  const auto& all = clients();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Client& client) { return client.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string client_names() {
  std::string names;
  for (const Client& client : clients()) names.append(names.empty() ? "" : ", ").append(client.name);
  return names;
}

std::vector<path> config_files(const Client& client, const Surroundings& surroundings) {
  if (client.name == "claude-desktop") return claude_desktop_files(surroundings);
  if (client.name == "claude-code") return {path_from_utf8(surroundings.working_directory) / ".mcp.json"};
  if (client.name == "cursor") return {home_of(surroundings) / ".cursor" / "mcp.json"};
  if (client.name == "vscode") return {vscode_user_folder(surroundings) / "mcp.json"};
  return {home_of(surroundings) / ".codex" / "config.toml"};
}

path claude_code_user_file(const Surroundings& surroundings) {
  return folder_from(surroundings, "CLAUDE_CONFIG_DIR", home_of(surroundings)) / ".claude.json";
}

}  // namespace cowork_terminal::registration
