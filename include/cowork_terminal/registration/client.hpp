#pragma once

#include <cowork_terminal/registration/surroundings.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cowork_terminal::registration {

enum class ConfigSyntax { plain_json, json_with_comments, toml };
enum class EntryType { not_written, stdio };  // whether an entry says `"type": "stdio"`

// A program that starts MCP servers (contract §6).
struct Client {
  std::string_view name;   // as in --client
  std::string_view title;  // as people know it
  ConfigSyntax syntax;
  std::string_view servers_key;  // the object or table that holds the entries
  EntryType entry_type = EntryType::not_written;
};

const std::vector<Client>& clients();
// Null if there is no client of that name.
const Client* find_client(std::string_view name);
// "claude-desktop, claude-code, …"
std::string client_names();

// The files that an entry belongs into (contract §6, the table), whether they exist or not. For claude-code this is the
// file that stands in when the program `claude` is not there.
std::vector<std::filesystem::path> config_files(const Client& client, const Surroundings& surroundings);

// Where Claude Code itself keeps the servers of a person. Only `claude` writes it.
std::filesystem::path claude_code_user_file(const Surroundings& surroundings);

}  // namespace cowork_terminal::registration
