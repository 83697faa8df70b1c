#pragma once

#include <string>
#include <vector>

namespace cowork_terminal::process {

// argv as the one line that a Windows program is given, quoted so that CommandLineToArgvW, the C runtimes and the MSYS
// runtime (which also expands what is not quoted) all read the same argv from it.
std::string windows_command_line(const std::vector<std::string>& argv);

}  // namespace cowork_terminal::process
