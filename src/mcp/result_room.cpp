#include <array>
#include <cowork_terminal/mcp/tool.hpp>
#include <cstdint>

namespace cowork_terminal::mcp {

namespace {

// Two sums in one, which one addition makes grow.
constexpr std::uint64_t byte_cost(std::uint64_t escaped, std::uint64_t escaped_twice) {
  return escaped << 32U | escaped_twice;
}

// What each byte of a string becomes inside JSON (RFC 8259, section 7, as nlohmann/json writes it), and that inside
// JSON.
constexpr std::array<std::uint64_t, 256> byte_costs = [] {
  std::array<std::uint64_t, 256> costs{};
  costs.fill(byte_cost(1, 1));
  for (std::size_t control = 0; control < 0x20; ++control) costs[control] = byte_cost(6, 7);  // \u0001, \\u0001
  for (const char short_escape : {'\b', '\f', '\n', '\r', '\t'})
    costs[static_cast<unsigned char>(short_escape)] = byte_cost(2, 3);
  costs['"'] = byte_cost(2, 4);   // \", \\\"
  costs['\\'] = byte_cost(2, 4);  // and so for the backslash itself
  return costs;
}();

}  // namespace

std::size_t ResultRoom::cost(std::string_view utf8) const {
  // A sum of 2^32 needs 600 MB of text; no result is that long.
  std::uint64_t both = 0;
  for (const char byte : utf8) both += byte_costs[static_cast<unsigned char>(byte)];
  const std::uint64_t escaped_twice = both & 0xFFFF'FFFFU;
  return static_cast<std::size_t>(escaped_twice + (structured_is_sent ? both >> 32U : 0));
}

}  // namespace cowork_terminal::mcp
