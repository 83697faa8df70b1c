#include "mcp/legacy_handshake.hpp"

#include "support/catch.hpp"

namespace {

using namespace cowork_terminal::mcp;
using nlohmann::json;

std::string agreed(const std::string& asked) {
  return std::string(negotiate({{"protocolVersion", asked}}).revision->name);
}

}  // namespace

TEST_CASE("each legacy revision is agreed to", "[mcp][P13]") {
  for (const char* revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    CHECK(agreed(revision) == revision);
}

TEST_CASE("any other revision is answered with the latest legacy one", "[mcp][P14][P15]") {
  for (const char* revision : {"2099-01-01", "2026-07-28", "2024-10-07", "", "2025-11-25 "})
    CHECK(agreed(revision) == "2025-11-25");
}

TEST_CASE("a handshake without a revision is refused", "[mcp][P16]") {
  for (const auto& params : {json::object(), json{{"protocolVersion", 20251125}}, json{{"protocolVersion", nullptr}}})
    CHECK_THROWS_AS(negotiate(params), cowork_terminal::jsonrpc::Error);
}

TEST_CASE("odd client info and capabilities count as empty", "[mcp][P17]") {
  const auto bare = negotiate({{"protocolVersion", "2025-11-25"}});
  CHECK(bare.client_capabilities == json::object());
  CHECK(bare.client_name.empty());
  const auto odd = negotiate({{"protocolVersion", "2025-11-25"}, {"capabilities", {1}}, {"clientInfo", "me"}});
  CHECK(odd.client_capabilities == json::object());
  CHECK(odd.client_name.empty());
  const auto full = negotiate({{"protocolVersion", "2025-11-25"},
                               {"capabilities", {{"extensions", json::object()}, {"tasks", json::object()}}},
                               {"clientInfo", {{"name", "me"}}}});
  CHECK(full.client_capabilities.contains("extensions"));
  CHECK(full.client_name == "me");
}

TEST_CASE("the handshake's result holds what the revision defines and nothing more", "[mcp][P18][P19]") {
  const ServerIdentity identity{"name", "Title", "1.2.3", "Instructions."};
  for (const auto* revision : legacy_revisions) {
    CAPTURE(revision->name);
    const auto result = initialize_result({revision, json::object(), ""}, identity);
    json expected{{"protocolVersion", revision->name},
                  {"capabilities", {{"tools", json::object()}}},
                  {"instructions", "Instructions."},
                  {"serverInfo", {{"name", "name"}, {"version", "1.2.3"}}}};
    if (revision->name >= "2025-06-18") expected["serverInfo"]["title"] = "Title";
    CHECK(result == expected);
  }
}
