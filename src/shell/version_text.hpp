#pragma once

#include <string>
#include <string_view>

namespace cowork_terminal::shell {

// The version in the first line of `bash --version`; empty if there is none.
std::string find_bash_version(std::string_view output);

}  // namespace cowork_terminal::shell
