#include "shell/home_search.hpp"

#include "shell/absolute_path.hpp"

namespace cowork_terminal::shell {

HomeDirectory search_home_posix(const process::Environment& environment, const PasswdLookUp& look_up,
                                const IsDirectory& is_directory) {
  const std::string home = environment.get("HOME").value_or("");
  if (home.starts_with('/') && is_directory(home)) return {home, {}};
  const auto entry = look_up();
  if (entry && entry->home.starts_with('/') && is_directory(entry->home)) return {entry->home, {}};
  return {"/",
          "The user's home directory is not known (HOME is not the absolute path of a directory): / stands for it."};
}

HomeDirectory search_home_windows(const process::Environment& environment, const IsDirectory& is_directory) {
  const auto value = [&](const char* name) { return environment.get(name).value_or(""); };
  for (const std::string& home : {value("USERPROFILE"), value("HOMEDRIVE") + value("HOMEPATH"), value("HOME")}) {
    const std::string path = with_windows_drive(home);
    if (is_absolute_windows_path(path) && is_directory(path)) return {path, {}};
  }
  const std::string root = value("SystemDrive").empty() ? "C:\\" : value("SystemDrive") + "\\";
  return {root, "The user's home directory is not known (USERPROFILE is not the path of a directory): " + root +
                    " stands for it."};
}

}  // namespace cowork_terminal::shell
