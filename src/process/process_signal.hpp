#pragma once

#include "process/process_table.hpp"

namespace cowork_terminal::process {

// POSIX. Sends a signal to exactly that process, never to another one that has got its pid since. Async-signal-safe.
// 0, or errno: ESRCH when it is gone.
int signal_process(const ProcessEntry& process, int signal);

}  // namespace cowork_terminal::process
