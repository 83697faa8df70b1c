#include "mcp/base64url.hpp"

#include <cstddef>
#include <cstdint>

namespace cowork_terminal::mcp {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string to_base64url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t buffer = 0;
  unsigned bits = 0;
  for (const char byte : bytes) {
    buffer = (buffer << 8U) | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 6; bits -= 6) text += alphabet[(buffer >> (bits - 6)) & 0x3FU];
  }
  if (bits > 0) text += alphabet[(buffer << (6 - bits)) & 0x3FU];
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t buffer = 0;
  unsigned bits = 0;
  for (const char character : text) {
    const auto value = alphabet.find(character);
    if (value == std::string_view::npos) return std::nullopt;
    buffer = (buffer << 6U) | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((buffer >> bits) & 0xFFU);
  }
  const bool stray_bits = (buffer & ((1U << bits) - 1U)) != 0;
  if (stray_bits) return std::nullopt;
  return bytes;
}

}  // namespace cowork_terminal::mcp
