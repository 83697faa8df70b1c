#include <chrono>
#include <cowork_terminal/jsonrpc/message.hpp>
#include <cowork_terminal/mcp/tool.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/catch.hpp"

namespace {

using namespace cowork_terminal;

// What a string adds to the structured content and to the text block that holds it again.
std::size_t measured(const std::string& text, bool structured_is_sent) {
  const auto once = jsonrpc::serialize(text);
  const auto twice = jsonrpc::serialize(once);
  constexpr std::size_t quotes = 2;
  constexpr std::size_t quotes_within_quotes = 6;
  return (structured_is_sent ? once.size() - quotes : 0) + twice.size() - quotes_within_quotes;
}

}  // namespace

TEST_CASE("the cost of every character is what it takes on the wire", "[mcp][C-13]") {
  for (const bool structured : {false, true}) {
    const mcp::ResultRoom room{0, structured};
    for (int byte = 0; byte < 0x80; ++byte) {
      const std::string text(1, static_cast<char>(byte));
      CAPTURE(byte, structured);
      CHECK(room.cost(text) == measured(text, structured));
    }
    for (const std::string text :
         {"é", "€", "\xF0\x9F\x98\x80", "\xEF\xBF\xBD", "\xE2\x80\xA8", "", "a\"b\\c\nd\x01 €"})
      CHECK(room.cost(text) == measured(text, structured));
  }
}

TEST_CASE("costs of pieces add up to the cost of the whole", "[mcp][C-13]") {
  const mcp::ResultRoom room{0, true};
  const std::string text = "\x01\"plain\\ \n€";
  std::size_t sum = 0;
  for (std::size_t i = 0; i < text.size(); ++i) sum += room.cost(text.substr(i, 1));
  CHECK(sum == room.cost(text));
}
