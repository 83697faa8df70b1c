#pragma once

#include <cowork_terminal/registration/server_entry.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cowork_terminal::registration {

struct ProjectEntry {
  std::string folder;
  ServerEntry entry;
};

// What Claude Code's own file says.
struct ClaudeCodeFile {
  bool exists = false;
  std::vector<ServerEntry> user_entries;                                   // for all projects
  std::vector<ProjectEntry> project_entries;                               // "local" scope: for one folder each
  nlohmann::ordered_json user_servers = nlohmann::ordered_json::object();  // the user entries, whole
};

// Throws FileError and DocumentError.
ClaudeCodeFile read_claude_code_file(const std::filesystem::path& file);

}  // namespace cowork_terminal::registration
