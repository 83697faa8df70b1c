#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cowork_terminal::shell {

using EnvironmentLookup = std::function<std::optional<std::string>(std::string_view name)>;
using FileExists = std::function<bool(const std::string& path)>;

struct BashLocation {
  std::string path;                      // absolute
  std::vector<std::string> path_prefix;  // folders to put before PATH for commands (Git for Windows' usr\bin bash)
};

struct BashSearch {
  std::optional<BashLocation> found;
  std::vector<std::string> checked;  // each path once, in the order of the search, up to the one found
};

// Contract C-14, pure functions of what they are given, so that both can be tested on every system.
BashSearch search_bash_posix(const EnvironmentLookup& environment, const FileExists& is_executable);
BashSearch search_bash_windows(const EnvironmentLookup& environment, const FileExists& exists);

// The search of this system with the real environment and file system.
BashSearch search_bash();
// For the option --bash: the location if `path` is absolute and an executable file.
std::optional<BashLocation> bash_at(const std::string& path);
// What to tell a person when the search found nothing: every path checked and where to get bash.
std::string describe_missing_bash(const std::vector<std::string>& checked);

}  // namespace cowork_terminal::shell
