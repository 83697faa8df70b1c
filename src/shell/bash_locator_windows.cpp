#include <windows.h>

#include <algorithm>
#include <cowork_terminal/process/environment.hpp>
#include <cowork_terminal/process/windows_text.hpp>
#include <cowork_terminal/shell/bash_locator.hpp>

#include "shell/absolute_path.hpp"
#include "shell/bash_system.hpp"
#include "shell/git_for_windows.hpp"

namespace cowork_terminal::shell {

bool is_executable_file(const std::string& path) {
  const DWORD attributes = ::GetFileAttributesW(process::to_utf16(path).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

std::string_view how_to_get_bash() {
  return "Install Git for Windows, which brings bash: https://git-scm.com/download/win (the bash.exe of WSL in "
         "System32 "
         "or WindowsApps cannot be used).";
}

BashSearch search_bash() {
  const auto environment = process::Environment::current();
  return search_bash_windows([&](std::string_view name) { return environment.get(name); }, is_executable_file);
}

std::optional<BashLocation> bash_at(const std::string& path) {
  if (!is_absolute_windows_path(path) || !is_executable_file(path)) return std::nullopt;
  BashLocation location{path, {}};
  std::replace(location.path.begin(), location.path.end(), '/', '\\');
  location.path_prefix = git_path_prefix(location.path);
  return location;
}

}  // namespace cowork_terminal::shell
