#pragma once

namespace cowork_terminal::process {

// Async-signal-safe: one call per possible descriptor up to the limit, where the system knows nothing better.
void close_each_descriptor(int lowest, const int* kept, int kept_count);
void close_each_descriptor_on_exec(int lowest);

}  // namespace cowork_terminal::process
