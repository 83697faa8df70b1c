#include "mcp/result_shape.hpp"

#include <cowork_terminal/jsonrpc/message.hpp>

#include "recorded_client.hpp"
#include "support/catch.hpp"

namespace {

using namespace cowork_terminal;
using namespace cowork_terminal::mcp;
using nlohmann::json;

constexpr std::size_t ample = 1'000'000;

std::vector<std::string> members(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("a tool is listed with the members that the revision defines", "[mcp][P28]") {
  using Names = std::vector<std::string>;
  const auto definition = mcp::tests::probe_definition();
  CHECK(members(tool_entry(definition, revision_2024_11_05)) == Names{"description", "inputSchema", "name"});
  CHECK(members(tool_entry(definition, revision_2025_03_26)) ==
        Names{"annotations", "description", "inputSchema", "name"});
  for (const auto* revision : {&revision_2025_06_18, &revision_2025_11_25, &revision_2026_07_28})
    CHECK(members(tool_entry(definition, *revision)) ==
          Names{"_meta", "annotations", "description", "inputSchema", "name", "outputSchema", "title"});
}

TEST_CASE("all four hints are written out", "[mcp][P29]") {
  auto definition = mcp::tests::probe_definition();
  CHECK(tool_entry(definition, revision_2025_11_25)["annotations"] == json{{"title", "Probe"},
                                                                           {"readOnlyHint", false},
                                                                           {"destructiveHint", true},
                                                                           {"idempotentHint", false},
                                                                           {"openWorldHint", true}});
}

TEST_CASE("structured content goes with its compact JSON as the one text block", "[mcp][P33][P34]") {
  const json structured{{"stdout", "hi\n"}, {"exitCode", 0}};
  const json text = json::array({{{"type", "text"}, {"text", R"({"exitCode":0,"stdout":"hi\n"})"}}});
  const json message{{"result", call_tool_result(ToolResult::success(structured), revision_2025_11_25, ample)}};
  CHECK(json::parse(jsonrpc::serialize(message)) ==
        json{{"result", {{"content", text}, {"structuredContent", structured}, {"isError", false}}}});
  for (const auto* revision : {&revision_2024_11_05, &revision_2025_03_26})
    CHECK(call_tool_result(ToolResult::success(structured), *revision, ample) ==
          json{{"content", text}, {"isError", false}});
}

TEST_CASE("a refusal is one text block and no structured content", "[mcp][P35][C-8]") {
  CHECK(call_tool_result(ToolResult::refusal("change this"), revision_2026_07_28, ample) ==
        json{{"content", json::array({{{"type", "text"}, {"text", "change this"}}})}, {"isError", true}});
}

TEST_CASE("a text too long for the line is cut at a whole character and says so", "[mcp][C-13]") {
  std::string text;
  for (int i = 0; i < 1'000; ++i) text += "€\x01";
  for (std::size_t room = 60; room < 80; ++room) {
    const auto result = call_tool_result(ToolResult::refusal(text), revision_2025_11_25, room);
    const auto cut = result["content"][0]["text"].get<std::string>();
    CAPTURE(cut);
    CHECK(jsonrpc::escaped_size(cut) <= room);
    CHECK(jsonrpc::escaped_size(cut) > room - 9);
    CHECK(cut.substr(0, 4) == "€\x01");
    CHECK(cut.find("[cut: the text was too long]") != std::string::npos);
    CHECK(cut.find("\xEF\xBF\xBD") == std::string::npos);
  }
}

TEST_CASE("a modern result carries its type and the server's name", "[mcp][P50][P57]") {
  const ServerIdentity identity{"name", "Title", "1.2.3", ""};
  const json info{{"name", "name"}, {"title", "Title"}, {"version", "1.2.3"}};
  CHECK(modern_result(json::object(), identity) ==
        json{{"resultType", "complete"}, {"_meta", {{meta_key::server_info, info}}}});
  CHECK(modern_result({{"resultType", "input_required"}, {"_meta", {{"other", 1}}}}, identity) ==
        json{{"resultType", "input_required"}, {"_meta", {{"other", 1}, {meta_key::server_info, info}}}});
}
