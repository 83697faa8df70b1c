#pragma once

#include <vector>

namespace cowork_terminal::app {

// What asks the server to end (contract C-26a).
std::vector<int> stop_signals();

}  // namespace cowork_terminal::app
