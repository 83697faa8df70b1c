#include <algorithm>
#include <array>
#include <cctype>
#include <cowork_terminal/shell/bash_locator.hpp>

#include "shell/absolute_path.hpp"
#include "shell/bash_system.hpp"
#include "shell/git_for_windows.hpp"

namespace cowork_terminal::shell {

namespace {

// True once a bash is found.
bool check(BashSearch& search, const FileExists& exists, std::string path) {
  if (std::find(search.checked.begin(), search.checked.end(), path) != search.checked.end()) return false;
  search.checked.push_back(path);
  if (!exists(path)) return false;
  search.found = BashLocation{std::move(path), {}};
  return true;
}

std::string folder_of_variable(const EnvironmentLookup& environment, std::string_view name, std::string usual) {
  std::string folder = environment(name).value_or("");
  if (!is_absolute_windows_path(folder)) return usual;
  std::replace(folder.begin(), folder.end(), '/', '\\');
  while (folder.ends_with('\\')) folder.pop_back();
  return folder;
}

std::string local_app_data(const EnvironmentLookup& environment) {
  const std::string user = environment("USERNAME").value_or("Default");
  const std::string profile = folder_of_variable(environment, "USERPROFILE", "C:\\Users\\" + user);
  return folder_of_variable(environment, "LOCALAPPDATA", profile + "\\AppData\\Local");
}

std::string in_lower_case(std::string_view text) {
  std::string lower{text};
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

std::vector<std::string> git_path_prefix(std::string_view bash) {
  constexpr std::string_view tail = "\\usr\\bin\\bash.exe";
  if (!in_lower_case(bash).ends_with(tail)) return {};
  const std::string git{bash.substr(0, bash.size() - tail.size())};
  return {git + "\\usr\\bin", git + "\\mingw64\\bin"};
}

BashSearch search_bash_posix(const EnvironmentLookup& environment, const FileExists& is_executable) {
  BashSearch search;
  const std::string path = environment("PATH").value_or("");
  std::string_view rest = path;
  while (!rest.empty()) {
    const auto colon = std::min(rest.find(':'), rest.size());
    std::string_view folder = rest.substr(0, colon);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    if (!folder.starts_with('/')) continue;
    while (folder.ends_with('/')) folder.remove_suffix(1);
    if (check(search, is_executable, std::string{folder} + "/bash")) return search;
  }
  for (const char* usual : {"/bin/bash", "/usr/bin/bash"}) {
    if (check(search, is_executable, usual)) return search;
  }
  return search;
}

BashSearch search_bash_windows(const EnvironmentLookup& environment, const FileExists& exists) {
  const std::array roots = {
      folder_of_variable(environment, "ProgramFiles", "C:\\Program Files") + "\\Git",
      folder_of_variable(environment, "ProgramFiles(x86)", "C:\\Program Files (x86)") + "\\Git",
      local_app_data(environment) + "\\Programs\\Git",
  };
  BashSearch search;
  for (const auto& root : roots) {
    for (const char* bash : {"\\bin\\bash.exe", "\\usr\\bin\\bash.exe"}) {
      if (!check(search, exists, root + bash)) continue;
      search.found->path_prefix = git_path_prefix(search.found->path);
      return search;
    }
  }
  return search;
}

std::string describe_missing_bash(const std::vector<std::string>& checked) {
  std::string text = "No bash was found. These places were checked:\n";
  for (const auto& path : checked) text += "  " + path + "\n";
  text += how_to_get_bash();
  text += " If it is somewhere else, name it with --bash PATH.";
  return text;
}

}  // namespace cowork_terminal::shell
