#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cowork_terminal/process/environment.hpp>
#include <cowork_terminal/shell/bash_locator.hpp>

#include "shell/bash_system.hpp"

namespace cowork_terminal::shell {

bool is_executable_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0;
}

std::string_view how_to_get_bash() {
  return "Install bash with the package manager of this system, for example `sudo apt install bash`, "
         "`sudo dnf install bash`, `sudo apk add bash` or `brew install bash`.";
}

BashSearch search_bash() {
  const auto environment = process::Environment::current();
  return search_bash_posix([&](std::string_view name) { return environment.get(name); }, is_executable_file);
}

std::optional<BashLocation> bash_at(const std::string& path) {
  if (!path.starts_with('/') || !is_executable_file(path)) return std::nullopt;
  return BashLocation{path, {}};
}

}  // namespace cowork_terminal::shell
