#include <algorithm>
#include <cowork_terminal/shell/working_directory.hpp>
#include <filesystem>
#include <optional>
#include <vector>

#include "shell/absolute_path.hpp"
#include "shell/directory_state.hpp"
#include "shell/session_path.hpp"

namespace cowork_terminal::shell {

namespace {

using Result = std::variant<WorkingDirectory, RefusedDirectory>;

std::filesystem::path from_utf8(const std::string& path) {
  return std::filesystem::path(std::u8string(path.begin(), path.end()));
}

std::string to_utf8(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

std::optional<std::string> canonical_directory(const std::string& path) {
  if (directory_state(path) != DirectoryState::directory) return std::nullopt;
  std::error_code error;
  const auto canonical = std::filesystem::canonical(from_utf8(path), error);
  return error ? path : to_utf8(canonical);
}

std::string describe(DirectoryState state) {
  switch (state) {
    case DirectoryState::not_a_directory:
      return "is not a directory";
    case DirectoryState::unreadable:
      return "cannot be reached (permission denied)";
    default:
      return "does not exist";
  }
}

RefusedDirectory refused(std::string_view cwd, const std::string& path, DirectoryState state) {
  const std::string written{cwd.empty() ? std::string_view{path} : cwd};
  std::string reason = "`cwd` " + describe(state) + ": " + written;
  if (written != path) reason += " (that is " + path + ")";
  return {
      reason +
      ". Nothing was run. Give the absolute path of an existing directory, or leave `cwd` out for the home directory."};
}

RefusedDirectory refused_session(std::string_view cwd, const std::string& why) {
  return {"`cwd` does not exist: " + std::string{cwd} +
          " is a path of Cowork's virtual machine, but commands run on the host, " + why +
          ". Nothing was run. Give the path that the folder has on the host; ask the user if you do not know it."};
}

bool goes_up(std::string_view rest) {
  std::string path = "/" + std::string{rest} + "/";
  std::replace(path.begin(), path.end(), '\\', '/');
  return path.find("/../") != std::string::npos;
}

Result translated(std::string_view cwd, const SessionPath& session, const std::string& home) {
  if (session.folder.empty()) return refused_session(cwd, "which has no such folder");
  if (goes_up(session.rest)) return refused_session(cwd, "and a path with `..` is not translated");
  const auto folders = host_folders(session.folder, home, canonical_directory);
  if (folders.empty()) {
    return refused_session(cwd, "where no folder `" + std::string{session.folder} + "` was found in the usual places");
  }
  if (folders.size() > 1) {
    std::string names;
    for (const auto& folder : folders) names += (names.empty() ? "" : ", ") + absolute_path(folder, home);
    return refused_session(cwd, "where several folders have this name: " + names);
  }
  std::string path = folders.front();
  if (!session.rest.empty()) path.append("/").append(session.rest);
  path = absolute_path(path, home);
  const auto state = directory_state(path);
  if (state != DirectoryState::directory) return refused(cwd, path, state);
  return WorkingDirectory{path, "`cwd` " + std::string{cwd} +
                                    " is a path of Cowork's virtual machine; the command ran on the host in " + path +
                                    "."};
}

}  // namespace

Result working_directory(std::string_view cwd, const std::string& home) {
  const std::string path = absolute_path(cwd, home);
  const auto state = directory_state(path);
  if (state == DirectoryState::directory) return WorkingDirectory{path, {}};
  const auto session = parse_session_path(cwd);
  if (session && state == DirectoryState::missing) return translated(cwd, *session, home);
  return refused(cwd, path, state);
}

}  // namespace cowork_terminal::shell
