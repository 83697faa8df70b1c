#pragma once

#include <string>

namespace cowork_terminal::app {

// The absolute path of this program's file, symbolic links followed, UTF-8. Throws StartupError if the system does not
// tell.
std::string own_path();

}  // namespace cowork_terminal::app
