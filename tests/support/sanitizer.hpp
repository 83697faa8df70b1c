#pragma once

#include <cstddef>

namespace cowork_terminal::testing {

// Whether the tests and the program are built with a sanitizer, which multiplies what they compute: a bound on time
// that holds the program to its own speed is to be widened.
#ifdef COWORK_TERMINAL_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
// What a bound on memory is to be widened by: shadow and freed memory.
inline constexpr std::size_t sanitizer_kib = sanitized ? 512 * 1'024 : 0;

}  // namespace cowork_terminal::testing
