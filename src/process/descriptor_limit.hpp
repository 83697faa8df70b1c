#pragma once

namespace cowork_terminal::process {

// POSIX. Lifts the soft limit on descriptors of this process to its hard limit, within reason, once.
void raise_descriptor_limit();
// Async-signal-safe: gives this process the limits back that the server was started with.
void restore_descriptor_limit();
// Async-signal-safe: no descriptor of ours has this number or a higher one.
[[nodiscard]] int possible_descriptors();

}  // namespace cowork_terminal::process
