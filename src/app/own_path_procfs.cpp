#include <cowork_terminal/app/own_path.hpp>
#include <cowork_terminal/app/startup.hpp>
#include <filesystem>
#include <system_error>

namespace cowork_terminal::app {

std::string own_path() {
  std::error_code error;
  auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw StartupError("/proc/self/exe cannot be read, so the path of this program is unknown: mount /proc.");
  return path.string();
}

}  // namespace cowork_terminal::app
