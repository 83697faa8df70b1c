#include "mcp/excerpt.hpp"

#include "support/catch.hpp"

using namespace cowork_terminal::mcp;

TEST_CASE("a short text is quoted whole", "[mcp]") {
  CHECK(excerpt("") == "");
  CHECK(excerpt(std::string(200, 'x')) == std::string(200, 'x'));
}

TEST_CASE("a long text is quoted up to a whole character", "[mcp]") {
  CHECK(excerpt(std::string(201, 'x')) == std::string(200, 'x') + "…");
  // The last of the euro signs would end at byte 202.
  std::string text(199, 'x');
  for (int i = 0; i < 3; ++i) text += "€";
  CHECK(excerpt(text) == std::string(199, 'x') + "…");
}

TEST_CASE("whole characters never split one", "[mcp]") {
  CHECK(whole_characters("a€b", 0) == 0);
  CHECK(whole_characters("a€b", 1) == 1);
  CHECK(whole_characters("a€b", 2) == 1);
  CHECK(whole_characters("a€b", 3) == 1);
  CHECK(whole_characters("a€b", 4) == 4);
  CHECK(whole_characters("a€b", 99) == 5);
}
