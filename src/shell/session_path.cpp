#include "shell/session_path.hpp"

#include <algorithm>
#include <set>

namespace cowork_terminal::shell {

namespace {

// The text up to the next slash, which is taken too with those that follow it.
std::string_view take_name(std::string_view& path) {
  const auto end = std::min(path.find('/'), path.size());
  const auto name = path.substr(0, end);
  path.remove_prefix(std::min(path.find_first_not_of('/', end), path.size()));
  return name;
}

}  // namespace

std::optional<SessionPath> parse_session_path(std::string_view path) {
  if (!path.starts_with("/sessions/")) return std::nullopt;
  path.remove_prefix(1);
  take_name(path);
  if (take_name(path).empty()) return std::nullopt;
  if (take_name(path) != "mnt") return SessionPath{};
  const auto folder = take_name(path);
  if (folder == "." || folder == "..") return SessionPath{};
  while (path.ends_with('/')) path.remove_suffix(1);
  return SessionPath{folder, path};
}

std::vector<std::string> host_folders(std::string_view folder, const std::string& home,
                                      const CanonicalDirectory& canonical_directory) {
  std::vector<std::string> folders;
  std::set<std::string> seen;
  for (const char* place :
       {"", "Development/", "Developer/", "Projects/", "Code/", "src/", "Desktop/", "Documents/", "Downloads/"}) {
    std::string path = home;
    if (!path.ends_with('/')) path += '/';
    path.append(place).append(folder);
    const auto canonical = canonical_directory(path);
    if (canonical && seen.insert(*canonical).second) folders.push_back(std::move(path));
  }
  return folders;
}

}  // namespace cowork_terminal::shell
