#include <windows.h>

#include <algorithm>
#include <cowork_terminal/app/program_search.hpp>
#include <cowork_terminal/process/windows_text.hpp>

namespace cowork_terminal::app {

namespace {

bool is_file(const std::string& path) {
  const auto attributes = GetFileAttributesW(process::to_utf16(path).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

}  // namespace

std::optional<std::string> find_program(const process::Environment& environment, std::string_view name) {
  const auto value = environment.get("PATH").value_or("");
  for (std::string_view rest = value; !rest.empty();) {
    const auto folder = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (folder.size() < 3 || folder[1] != ':') continue;
    for (const auto* extension : {".exe", ".cmd", ".bat"}) {
      auto path = std::string(folder) + "\\" + std::string(name) + extension;
      if (is_file(path)) return path;
    }
  }
  return std::nullopt;
}

}  // namespace cowork_terminal::app
