// What clients are told of the server and its tool, to the letter, per revision. COWORK_TERMINAL_UPDATE_SNAPSHOTS=1
// rewrites.

#include <cstdlib>
#include <fstream>

#include "support/catch.hpp"
#include "support/server_process.hpp"

using namespace cowork_terminal::testing;

namespace {

void check_snapshot(const std::string& name, json value) {
  const auto path = std::string(source_folder()) + "/tests/snapshots/" + name + ".json";
  const auto text = value.dump(2) + "\n";
  if (std::getenv("COWORK_TERMINAL_UPDATE_SNAPSHOTS") != nullptr) std::ofstream(path, std::ios::binary) << text;
  INFO("differs from tests/snapshots/" << name << ".json");
  CHECK(read_file(path) == text);
}

// The version changes with every release and has a test of its own.
json without_version(json value) {
  for (auto* info : {&value["serverInfo"], &value["_meta"]["io.modelcontextprotocol/serverInfo"]}) {
    if (info->is_object()) (*info)["version"] = "VERSION";
  }
  if (value["serverInfo"].is_null()) value.erase("serverInfo");
  if (value["_meta"]["io.modelcontextprotocol/serverInfo"].is_null()) value.erase("_meta");
  return value;
}

}  // namespace

TEST_CASE("the handshake and the tool list of each legacy revision are as recorded", "[P18][P26][P27][P28]") {
  for (const std::string revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    ServerProcess server;
    check_snapshot("initialize-" + revision, without_version(server.initialize(revision)));
    const auto list = server.response(server.request("tools/list")).at("result");
    check_snapshot("tools-list-" + revision, list);
    CHECK(server.response(server.request("tools/list")).at("result") == list);
    CHECK(list.at("tools").size() == 1);
  }
}

TEST_CASE("discovery and the tool list of the modern revision are as recorded", "[P49][P57]") {
  ServerProcess server;
  check_snapshot(
      "discover-2026-07-28",
      without_version(server.response(server.request("server/discover", {{"_meta", modern_meta()}})).at("result")));
  check_snapshot(
      "tools-list-2026-07-28",
      without_version(server.response(server.request("tools/list", {{"_meta", modern_meta()}})).at("result")));
}

TEST_CASE("the description fits its limit and names what models need", "[C-9][P29]") {
  ServerProcess server;
  const auto instructions = server.initialize().at("instructions").get<std::string>();
  CHECK(instructions.size() > 100);
  const auto tool = server.response(server.request("tools/list")).at("result").at("tools").at(0);
  const auto description = tool.at("description").get<std::string>();
  CHECK(description.size() < 2'000);
  for (const auto* word : {"Git Bash", "/c/", "here-document", "gh pr create --body", "<<'EOF'", "`cwd`", "No TTY",
                           "stdin", "`timeout`", "background", "1 MB", "real"}) {
    INFO(word);
    CHECK(description.find(word) != std::string::npos);
  }
  CHECK(tool.at("annotations").at("readOnlyHint") == false);
  CHECK(tool.at("annotations").at("destructiveHint") == true);
  CHECK(tool.at("annotations").at("idempotentHint") == false);
  CHECK(tool.at("annotations").at("openWorldHint") == true);
  CHECK(tool.at("_meta").at("anthropic/alwaysLoad") == true);
  CHECK(tool.at("inputSchema").at("properties").at("command").at("pattern") == "\\S");
  for (const auto& [member, value] : tool.at("inputSchema").items())
    CHECK((member == "type" || member == "properties" || member == "required" || member == "additionalProperties"));
}
