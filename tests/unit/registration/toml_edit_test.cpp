#include "registration/toml_edit.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace cowork_terminal::registration;

namespace {

const TomlKey our_table{"mcp_servers", "ours"};
const std::vector<TomlAssignment> launch{{"command", "\"/opt/x\""}, {"args", "[]"}};

std::string refusal_of(const std::string& text) {
  try {
    set_in_table(text, our_table, launch);
  } catch (const DocumentError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a table is added at the end, and its removal leaves the text as it was", "[registration]") {
  const std::vector<std::string> texts{
      "",
      "model = \"o\"\n",
      "model = \"o\"",
      "# c\r\n[mcp_servers.a]\r\ncommand = 'x'\r\n",
      "# c\r\n[mcp_servers.a]\r\ncommand = 'x'",
      "[a]\n\n\n",
      "\n",
      "[mcp_servers.ours-too]\ncommand = \"\"\"\n[mcp_servers.ours]\n\"\"\"\n\n# the end",
      "mcp_servers.a.command = \"x\"\n",
      "[mcp_servers]\na = {command = \"x\"}\n",
  };
  for (const std::string& text : texts) {
    CAPTURE(text);
    const std::string after = set_in_table(text, our_table, launch);
    CHECK(after.starts_with(text));
    CHECK(after.find("[mcp_servers.ours]") != std::string::npos);
    CHECK(remove_table(after, our_table) == text);
    CHECK((text.find("\r\n") == std::string::npos) == (after.find("\r\n") == std::string::npos));
  }
  CHECK(set_in_table("a = 1\n", our_table, launch) == "a = 1\n\n[mcp_servers.ours]\ncommand = \"/opt/x\"\nargs = []\n");
  CHECK(set_in_table("", {"mcp_servers", "a b"}, launch) == "[mcp_servers.\"a b\"]\ncommand = \"/opt/x\"\nargs = []\n");
}

TEST_CASE("a table that is there keeps all but the keys that are set", "[registration]") {
  const std::string before =
      "[ mcp_servers . \"ours\" ] # mine\r\n\tcommand='old' # why\r\n\t# note\r\n\tstartup_timeout_sec=20\r\n\r\n# "
      "about z\r\n[z]\r\n";
  CHECK(set_in_table(before, our_table, launch) ==
        "[ mcp_servers . \"ours\" ] # mine\r\n\tcommand=\"/opt/x\" # why\r\n\t# "
        "note\r\n\tstartup_timeout_sec=20\r\n\targs=[]\r\n\r\n"
        "# about z\r\n[z]\r\n");
  CHECK(remove_table(before, our_table) == "\r\n# about z\r\n[z]\r\n");
  CHECK(set_in_table("[mcp_servers.ours]", our_table, launch) == "[mcp_servers.ours]\ncommand = \"/opt/x\"\nargs = []");
  CHECK(set_in_table("[mcp_servers.ours]\nargs = [\n 'a', # b\n]\ncommand = \"/opt/x\"\n", our_table, launch) ==
        "[mcp_servers.ours]\nargs = []\ncommand = \"/opt/x\"\n");
}

TEST_CASE("sub-tables go with their table and the tables around it stay", "[registration]") {
  CHECK(remove_table("[a]\nx = 1\n\n[mcp_servers.ours]\ncommand = 'x'\n\n[mcp_servers.ours.env]\nA = '1'\n\n# b\n[b]\n",
                     our_table) == "[a]\nx = 1\n\n# b\n[b]\n");
  CHECK(remove_table("[mcp_servers.other]\n", our_table) == "[mcp_servers.other]\n");
}

TEST_CASE("our entry in another form than a table is refused, not broken", "[registration]") {
  const std::vector<std::string> texts{
      "mcp_servers = {}\n",
      "mcp_servers = { ours = { command = 'x' } }\n",
      "mcp_servers.ours = { command = 'x' }\n",
      "mcp_servers.ours.command = 'x'\n",
      "[mcp_servers]\nours = { command = 'x' }\n",
      "[mcp_servers]\n\"ours\".command = 'x'\n",
      "[mcp_servers]\nours.env.A = 'x'\n",
      "[[mcp_servers]]\n",
      "[[mcp_servers.ours]]\n",
      "[mcp_servers.ours]\n[a]\n[mcp_servers.ours]\n",
  };
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK(refusal_of(text).find("mcp_servers") != std::string::npos);
    CHECK_THROWS_AS(remove_table(text, our_table), DocumentError);
  }
  CHECK(refusal_of("a = 1\nmcp_servers.ours.command = 'x'\n").starts_with("line 2, column 1: "));
}

TEST_CASE("a byte order mark is not written again in TOML", "[registration][K127]") {
  CHECK(set_in_table("\xEF\xBB\xBF[mcp_servers.ours]\n", our_table, {}) == "[mcp_servers.ours]\n");
}
