#include <cowork_terminal/registration/surroundings.hpp>

namespace cowork_terminal::registration {

Platform this_platform() {
#if defined(__APPLE__)
  return Platform::macos;
#else
  return Platform::gnu_linux;
#endif
}

}  // namespace cowork_terminal::registration
