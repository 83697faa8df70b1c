#include "mcp/random_key.hpp"

#include <set>

#include "support/catch.hpp"

TEST_CASE("no two random keys are alike, and none is half empty", "[mcp]") {
  std::set<cowork_terminal::mcp::Digest> keys;
  for (int i = 0; i < 16; ++i) {
    const auto key = cowork_terminal::mcp::random_key();
    CHECK(std::set(key.begin(), key.end()).size() > 8);
    keys.insert(key);
  }
  CHECK(keys.size() == 16);
}
