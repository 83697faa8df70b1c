#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cowork_terminal/app/program_search.hpp>

namespace cowork_terminal::app {

namespace {

bool is_program(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<std::string> find_program(const process::Environment& environment, std::string_view name) {
  const auto value = environment.get("PATH").value_or("");
  for (std::string_view rest = value; !rest.empty();) {
    const auto folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (folder.empty() || folder.front() != '/') continue;
    auto path = std::string(folder) + "/" + std::string(name);
    if (is_program(path)) return path;
  }
  return std::nullopt;
}

}  // namespace cowork_terminal::app
