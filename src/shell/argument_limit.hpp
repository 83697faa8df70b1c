#pragma once

#include <cstddef>

namespace cowork_terminal::shell {

// The longest command, in bytes without the NUL, that travels as one argument on this system.
std::size_t argument_limit();

}  // namespace cowork_terminal::shell
