#pragma once

#include <string_view>

namespace cowork_terminal::process {

// Whether two names mean the same environment variable on this platform.
[[nodiscard]] bool same_variable_name(std::string_view left, std::string_view right);

}  // namespace cowork_terminal::process
