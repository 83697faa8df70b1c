#include <array>
#include <cowork_terminal/mcp/tool.hpp>
#include <cstdint>

namespace cowork_terminal::mcp {

namespace {

struct ByteCost {
  std::uint8_t escaped = 1;
  std::uint8_t escaped_twice = 1;
};

// What each byte of a string becomes inside JSON (RFC 8259, section 7, as nlohmann/json writes it), and that inside
// JSON.
constexpr std::array<ByteCost, 256> byte_costs = [] {
  std::array<ByteCost, 256> costs{};
  for (std::size_t control = 0; control < 0x20; ++control) costs[control] = {6, 7};  // \u0001, \\u0001
  for (const char short_escape : {'\b', '\f', '\n', '\r', '\t'})
    costs[static_cast<unsigned char>(short_escape)] = {2, 3};
  costs['"'] = {2, 4};   // \", \\\"
  costs['\\'] = {2, 4};  // and so for the backslash itself
  return costs;
}();

}  // namespace

std::size_t ResultRoom::cost(std::string_view utf8) const {
  std::size_t escaped = 0;
  std::size_t escaped_twice = 0;
  for (const char byte : utf8) {
    const auto cost = byte_costs[static_cast<unsigned char>(byte)];
    escaped += cost.escaped;
    escaped_twice += cost.escaped_twice;
  }
  return escaped_twice + (structured_is_sent ? escaped : 0);
}

}  // namespace cowork_terminal::mcp
