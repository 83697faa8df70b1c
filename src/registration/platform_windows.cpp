#include <cowork_terminal/registration/surroundings.hpp>

namespace cowork_terminal::registration {

Platform this_platform() { return Platform::windows; }

}  // namespace cowork_terminal::registration
