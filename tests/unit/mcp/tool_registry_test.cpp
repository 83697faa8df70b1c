#include <cowork_terminal/mcp/tool_registry.hpp>

#include "recorded_client.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::mcp;

TEST_CASE("tools are found by their exact name and kept in the order of their adding", "[mcp]") {
  tests::CallBody body = [](const tests::Call&) {};
  ToolRegistry registry;
  for (const char* name : {"b", "a"}) {
    auto definition = tests::probe_definition();
    definition.name = name;
    registry.add(std::make_unique<tests::ProbeTool>(std::move(definition), body));
  }
  REQUIRE(registry.find("a") != nullptr);
  CHECK(registry.find("a")->definition().name == "a");
  CHECK(registry.find("A") == nullptr);
  CHECK(registry.find("") == nullptr);
  REQUIRE(registry.tools().size() == 2);
  CHECK(registry.tools().front()->definition().name == "b");
}
