#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace cowork_terminal::tools {

// What a progress notification says (contract C-24), e.g. "running for 10 s, 14 kB of output".
std::string progress_message(std::chrono::seconds elapsed, bool waiting, std::uint64_t output_bytes);

}  // namespace cowork_terminal::tools
