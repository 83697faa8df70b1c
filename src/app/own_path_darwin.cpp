#include <mach-o/dyld.h>

#include <cowork_terminal/app/own_path.hpp>
#include <cowork_terminal/app/startup.hpp>
#include <cstdint>
#include <filesystem>

namespace cowork_terminal::app {

std::string own_path() {
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (_NSGetExecutablePath(path.data(), &size) != 0) throw StartupError("The path of this program is unknown.");
  return std::filesystem::canonical(path.c_str()).string();
}

}  // namespace cowork_terminal::app
