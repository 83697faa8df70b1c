#pragma once

#include <string_view>

namespace cowork_terminal::app {

// Writes `line` to stderr if that is possible at once, and says whether it did. No flag of the descriptor is changed:
// it is shared with the client and with terminals (contract C-17, C-29).
bool write_standard_error_now(std::string_view line);

}  // namespace cowork_terminal::app
