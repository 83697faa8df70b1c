#pragma once

#include <string>
#include <string_view>

namespace cowork_terminal::shell {

// A file that this user may run; links are followed.
bool is_executable_file(const std::string& path);

// How to get bash on this system: a sentence or two.
std::string_view how_to_get_bash();

}  // namespace cowork_terminal::shell
