#include "mcp/hmac_sha256.hpp"

#include <bit>
#include <cstddef>
#include <string>

namespace cowork_terminal::mcp {

namespace {

constexpr std::size_t block_size = 64;

constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using Words = std::array<std::uint32_t, 8>;

std::array<std::uint32_t, 64> message_schedule(std::string_view block) {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < block_size; ++i)
    words[i / 4] = (words[i / 4] << 8U) | static_cast<unsigned char>(block[i]);
  for (std::size_t i = 16; i < words.size(); ++i) {
    const auto a = words[i - 15];
    const auto b = words[i - 2];
    words[i] = words[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3U)) + words[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10U));
  }
  return words;
}

void add_block(Words& hash, std::string_view block) {
  const auto schedule = message_schedule(block);
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const auto first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                       round_constants[i] + schedule[i];
    const auto second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Words addends{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += addends[i];
}

// What follows the last whole block: the rest of the message, a one bit, zeroes, the length in bits.
std::string padded_tail(std::string_view rest, std::uint64_t message_size) {
  std::string tail(rest);
  tail += '\x80';
  while (tail.size() % block_size != block_size - 8) tail += '\0';
  const auto bits = message_size * 8;
  for (int shift = 56; shift >= 0; shift -= 8)
    tail += static_cast<char>((bits >> static_cast<unsigned>(shift)) & 0xFFU);
  return tail;
}

std::string_view as_text(const Digest& digest) { return {reinterpret_cast<const char*>(digest.data()), digest.size()}; }

}  // namespace

Digest sha256(std::string_view message) {
  Words hash{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto size = message.size();
  for (; message.size() >= block_size; message.remove_prefix(block_size))
    add_block(hash, message.substr(0, block_size));
  const auto tail = padded_tail(message, size);
  for (std::size_t start = 0; start < tail.size(); start += block_size)
    add_block(hash, std::string_view(tail).substr(start, block_size));

  Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<std::uint8_t>(hash[i / 4] >> (24U - 8U * static_cast<unsigned>(i % 4)));
  return digest;
}

Digest hmac_sha256(const Digest& key, std::string_view message) {
  std::string inner(block_size, '\x36');
  std::string outer(block_size, '\x5c');
  for (std::size_t i = 0; i < key.size(); ++i) {
    inner[i] = static_cast<char>(static_cast<unsigned char>(inner[i]) ^ key[i]);
    outer[i] = static_cast<char>(static_cast<unsigned char>(outer[i]) ^ key[i]);
  }
  const auto inner_digest = sha256(inner.append(message));
  return sha256(outer.append(as_text(inner_digest)));
}

bool equal_in_constant_time(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i]));
  return difference == 0;
}

}  // namespace cowork_terminal::mcp
