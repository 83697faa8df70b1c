#pragma once

#include <string>
#include <vector>

namespace cowork_terminal::process {

// argv as the one line that a Windows program is given, quoted so that CommandLineToArgvW, the C runtimes and the MSYS
// runtime all read the same argv from it. (The last expands what is not quoted, and takes two backslashes for one in a
// quoted word that does not begin with a drive: give it none.)
std::string windows_command_line(const std::vector<std::string>& argv);

}  // namespace cowork_terminal::process
