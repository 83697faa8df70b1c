#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cowork_terminal::process {

// A .cmd or .bat, which Windows starts by its command interpreter alone.
bool is_batch_file(std::string_view program);

// argv of a batch file as the line that starts it in cmd.exe, every element arriving as it is: also what cmd.exe would
// take for its own, and what a program named in the file reads from its %*. Throws std::invalid_argument for an
// argument with a line break, which cannot be quoted.
std::string batch_file_line(const std::string& interpreter, const std::vector<std::string>& argv);

}  // namespace cowork_terminal::process
