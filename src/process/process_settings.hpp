#pragma once

#include <cstdint>

namespace cowork_terminal::process {

// POSIX. A digest of what another process may change about the calling one, and what its children inherit: limits,
// priorities, scheduling, on Linux also its processors, keyring, control group and the like. Async-signal-safe.
std::uint64_t digest_of_settings();

}  // namespace cowork_terminal::process
