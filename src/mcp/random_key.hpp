#pragma once

#include "mcp/hmac_sha256.hpp"

namespace cowork_terminal::mcp {

// 32 bytes of the system's cryptographic random source. Throws std::system_error if it gives none.
Digest random_key();

}  // namespace cowork_terminal::mcp
