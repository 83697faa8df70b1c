#include <cowork_terminal/registration/inspection.hpp>
#include <functional>
#include <optional>

#include "registration/claude_code_file.hpp"
#include "registration/config_file.hpp"
#include "registration/config_format.hpp"
#include "registration/document_error.hpp"

namespace cowork_terminal::registration {
namespace {

void add_entry(InspectedFile& file, const ServerEntry& entry, const std::string& executable, const std::string& scope) {
  const EntryKind kind = kind_of(entry.launch, executable);
  if (kind != EntryKind::foreign) file.entries.push_back({entry, kind, scope});
}

InspectedFile inspect(const std::filesystem::path& path, const std::function<void(InspectedFile&)>& read) {
  InspectedFile file;
  file.file = path;
  file.folder_exists = folder_exists(path.parent_path());
  try {
    read(file);
  } catch (const DocumentError& error) {
    file.exists = true;
    file.problem = error.what();
  } catch (const FileError& error) {
    file.exists = true;
    file.problem = error.what();
  }
  return file;
}

InspectedFile inspect_servers(const ConfigFormat& format, const std::filesystem::path& path,
                              const std::string& executable) {
  return inspect(path, [&](InspectedFile& file) {
    const std::optional<std::string> text = read_config_file(path).text;
    file.exists = text.has_value();
    if (!text) return;
    for (const ServerEntry& entry : format.entries(*text)) add_entry(file, entry, executable, "");
  });
}

InspectedFile inspect_claude_code(const std::filesystem::path& path, const std::string& executable) {
  return inspect(path, [&](InspectedFile& file) {
    const ClaudeCodeFile content = read_claude_code_file(path);
    file.exists = content.exists;
    for (const ServerEntry& entry : content.user_entries) add_entry(file, entry, executable, "");
    for (const auto& [folder, entry] : content.project_entries) add_entry(file, entry, executable, "only in " + folder);
  });
}

}  // namespace

InspectedClient inspect_client(const Client& client, const std::string& executable, const Surroundings& surroundings) {
  InspectedClient result{client, {}};
  if (client.name == "claude-code") {
    result.files.push_back(inspect_claude_code(claude_code_user_file(surroundings), executable));
  }
  const auto format = format_of(client);
  for (const auto& file : config_files(client, surroundings)) {
    result.files.push_back(inspect_servers(*format, file, executable));
  }
  return result;
}

std::vector<InspectedClient> inspect_clients(const std::string& executable, const Surroundings& surroundings) {
  std::vector<InspectedClient> result;
  for (const Client& client : clients()) result.push_back(inspect_client(client, executable, surroundings));
  return result;
}

}  // namespace cowork_terminal::registration
