#include <algorithm>
#include <array>
#include <cowork_terminal/registration/server_entry.hpp>
#include <cowork_terminal/registration/surroundings.hpp>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace cowork_terminal::registration {
namespace {

constexpr std::string_view package = "cowork-terminal-mcp";
constexpr std::array<std::string_view, 10> launchers{"npx",  "npm",  "node", "bunx", "bun",
                                                     "pnpm", "pnpx", "yarn", "deno", "tsx"};
// Folders that hold programs installed from npm only.
constexpr std::array<std::string_view, 5> npm_folders{"node_modules", "npm", ".nvm", ".volta", ".bun"};
constexpr std::array<std::string_view, 3> script_endings{".cmd", ".ps1", ".bat"};

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string_view file_name(std::string_view path) {
  const std::size_t separator = path.find_last_of("/\\");
  return separator == std::string_view::npos ? path : path.substr(separator + 1);
}

std::string_view stem(std::string_view file) {
  for (const std::string_view ending : {".cmd", ".exe", ".ps1", ".bat"}) {
    if (file.ends_with(ending)) return file.substr(0, file.size() - ending.size());
  }
  return file;
}

// The package, with a version or without, as a name or as a folder of a path.
bool names_package(std::string_view word) {
  for (const std::string_view part : split(word, "/\\")) {
    if (part == package || part.starts_with("cowork-terminal-mcp@") || part.starts_with("cowork-terminal-mcp#"))
      return true;
  }
  return false;
}

bool is_npm_program(std::string_view command) {
  const std::string_view file = file_name(command);
  if (stem(file) != package) return false;
  if (file.size() > package.size() && contains(script_endings, file.substr(package.size()))) return true;
  const std::vector<std::string_view> folders = split(command, "/\\");
  return std::any_of(folders.begin(), folders.end(),
                     [](std::string_view folder) { return contains(npm_folders, folder); });
}

bool is_node_original(const Launch& launch) {
  if (is_npm_program(lower_case(launch.command))) return true;
  std::string line = lower_case(launch.command);
  for (const std::string& arg : launch.args) line += " " + lower_case(arg);
  const std::vector<std::string_view> words = split(line, " \t\r\n\"';&|()");
  const auto launcher = std::find_if(words.begin(), words.end(),
                                     [](std::string_view word) { return contains(launchers, stem(file_name(word))); });
  return launcher != words.end() && std::any_of(launcher + 1, words.end(), names_package);
}

bool is_same_file(const std::string& one, const std::string& other) {
  if (one == other) return true;
  const std::filesystem::path path = path_from_utf8(one);
  std::error_code error;
  return path.is_absolute() && std::filesystem::equivalent(path, path_from_utf8(other), error);
}

std::string quoted(const std::string& word) {
  static constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

}  // namespace

EntryKind kind_of(const Launch& launch, const std::string& executable) {
  if (launch.command.empty()) return EntryKind::foreign;
  if (is_same_file(launch.command, executable)) return EntryKind::this_program;
  if (is_node_original(launch)) return EntryKind::node_original;
  const std::string file = lower_case(file_name(launch.command));
  return file == package || file == "cowork-terminal-mcp.exe" ? EntryKind::other_copy : EntryKind::foreign;
}

std::string command_line(const Launch& launch) {
  std::string line = quoted(launch.command);
  for (const std::string& arg : launch.args) line += " " + quoted(arg);
  return line;
}

}  // namespace cowork_terminal::registration
