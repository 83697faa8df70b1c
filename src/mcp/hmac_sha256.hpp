#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cowork_terminal::mcp {

using Digest = std::array<std::uint8_t, 32>;

// FIPS 180-4, section 6.2.
Digest sha256(std::string_view message);

// RFC 2104 with SHA-256.
Digest hmac_sha256(const Digest& key, std::string_view message);

// Takes the same time wherever the two differ.
bool equal_in_constant_time(std::string_view left, std::string_view right);

}  // namespace cowork_terminal::mcp
