#include "shell/absolute_path.hpp"

#include <algorithm>

namespace cowork_terminal::shell {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_slash(char c) { return c == '/' || c == '\\'; }

std::string joined(std::string_view folder, char separator, std::string_view rest) {
  std::string path{folder};
  if (!path.empty() && !is_slash(path.back())) path += separator;
  return path.append(rest);
}

std::string_view without_leading_slashes(std::string_view path, std::string_view slashes) {
  return path.substr(std::min(path.find_first_not_of(slashes), path.size()));
}

}  // namespace

bool is_absolute_windows_path(std::string_view path) {
  const bool drive = path.size() >= 3 && is_letter(path[0]) && path[1] == ':' && is_slash(path[2]);
  return drive || path.starts_with("\\\\") || path.starts_with("//");
}

std::string with_windows_drive(std::string_view path) {
  std::string result{path};
  if (path.size() >= 2 && path[0] == '/' && is_letter(path[1]) && (path.size() == 2 || path[2] == '/')) {
    const char letter = path[1] >= 'a' ? static_cast<char>(path[1] - 'a' + 'A') : path[1];
    result = std::string{letter, ':', '\\'}.append(without_leading_slashes(path.substr(2), "/"));
  } else if (path.size() == 2 && is_letter(path[0]) && path[1] == ':') {
    result += '\\';
  }
  std::replace(result.begin(), result.end(), '/', '\\');
  return result;
}

std::string absolute_posix_path(std::string_view cwd, std::string_view home) {
  if (cwd.starts_with('/')) return std::string{cwd};
  if (cwd.empty() || cwd == "~") return std::string{home};
  if (cwd.starts_with("~/")) {
    const auto rest = without_leading_slashes(cwd.substr(1), "/");
    return rest.empty() ? std::string{home} : joined(home, '/', rest);
  }
  return joined(home, '/', cwd);
}

std::string absolute_windows_path(std::string_view cwd, std::string_view home) {
  if (cwd.empty() || cwd == "~") return std::string{home};
  const std::string path = with_windows_drive(cwd);
  // `\x` is on the drive of the home directory, not on that of whatever folder the server was started in.
  if (path.starts_with('\\') && !is_absolute_windows_path(path)) return std::string{home.substr(0, 2)} + path;
  if (is_absolute_windows_path(path)) return path;
  if (!path.starts_with("~\\")) return joined(home, '\\', path);
  const auto rest = without_leading_slashes(std::string_view{path}.substr(1), "\\");
  return rest.empty() ? std::string{home} : joined(home, '\\', rest);
}

}  // namespace cowork_terminal::shell
