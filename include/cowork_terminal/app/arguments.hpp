#pragma once

#include <string>
#include <vector>

namespace cowork_terminal::app {

// The arguments of this program after its name, as UTF-8 (POSIX: bytes).
std::vector<std::string> program_arguments(int argc, char* argv[]);

}  // namespace cowork_terminal::app
