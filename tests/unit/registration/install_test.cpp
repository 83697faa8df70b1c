#include <cowork_terminal/registration/install.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/registration/machine.hpp"

using namespace cowork_terminal::registration;
using Json = nlohmann::ordered_json;

namespace {

const std::string five_servers = R"({
	// Mine, do not touch.
	"globalShortcut": "Ctrl+Space",   "odd"   :[1,2 , 3],
	"mcpServers": {
		"files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"] },
		"git": {
			"command": "uvx",
			"args": [
				"mcp-server-git"
			],
			"env": {"TOKEN": "s3cr\u0065t"}
		},
		/* "off": {}, */
		"remote": {"type": "http", "url": "https://example.org/mcp"},
		"odd": {"command": "x", "unknown": {"deep": [true, null, -1.50e+2]},},
		"last": {"command": "y", "args": []}, // the end
	},
	"preferences": {"theme": "dark",}
}
)";

}  // namespace

TEST_CASE("among five other servers only our entry changes, and it goes without a trace", "[registration][K127]") {
  for (const std::string mark : {"", "\xEF\xBB\xBF"}) {
    const Machine machine;
    write_text(machine.file(), mark + five_servers);
    const InstallReport report = machine.install();
    CHECK(report.exit_code == 0);
    std::string expected = five_servers;
    expected.insert(expected.find("\n\t},\n\t\"preferences\""),
                    "\n\t\t\"cowork-terminal\": {\"command\": \"/opt/cowork-terminal-mcp\", \"args\": []},");
    CHECK(read_text(machine.file()) == expected);
    CHECK(read_text(machine.file().string() + ".bak") == mark + five_servers);
    CHECK(contains(report.remarks, "line 2, column 2"));

    CHECK(machine.uninstall().exit_code == 0);
    CHECK(read_text(machine.file()) == five_servers);
  }
}

TEST_CASE("installing twice changes nothing and writes nothing", "[registration][K127]") {
  for (const Client& client : clients()) {
    Machine machine;
    machine.client = client.name;
    CAPTURE(machine.client);
    CHECK(machine.install().changes.front().before == std::nullopt);
    const std::string text = read_text(machine.file());
    const auto time = std::filesystem::last_write_time(machine.file());
    const InstallReport again = machine.install();
    CHECK(again.exit_code == 0);
    CHECK(contains(again.text, "Already registered"));
    CHECK(read_text(machine.file()) == text);
    CHECK(std::filesystem::last_write_time(machine.file()) == time);
    CHECK(files_in(machine.file().parent_path()) == 1);
  }
}

TEST_CASE("each client gets the entry in its own form", "[registration]") {
  Machine machine;
  InstallRequest request = machine.request();
  request.args = {"--max-wait", "5000"};
  machine.install(request);
  const Json plain = Json::parse(R"({"command": "/opt/cowork-terminal-mcp", "args": ["--max-wait", "5000"]})");
  CHECK(read_json(machine.file())["mcpServers"]["cowork-terminal"] == plain);

  machine.client = request.client = "vscode";
  machine.install(request);
  CHECK(read_json(machine.file())["servers"]["cowork-terminal"]["type"] == "stdio");

  machine.client = request.client = "codex";
  machine.install(request);
  CHECK(read_text(machine.file()) ==
        "[mcp_servers.cowork-terminal]\ncommand = \"/opt/cowork-terminal-mcp\"\nargs = [\"--max-wait\", \"5000\"]\n");
}

TEST_CASE("an entry of ours keeps its env, timeout and unknown keys", "[registration]") {
  Machine machine;
  machine.client = "vscode";
  const std::string before =
      "{\"servers\": {\n  \"cowork-terminal\": {\n    \"command\": \"/old/cowork-terminal-mcp\", // old\n"
      "    \"env\": {\"A\": \"1\"},\n    \"timeout\": 600000,\n    \"args\": [\"--x\"],\n    \"dev\": {}\n  }\n}}";
  write_text(machine.file(), before);
  const InstallReport report = machine.install();
  CHECK(read_text(machine.file()) ==
        "{\"servers\": {\n  \"cowork-terminal\": {\n    \"command\": \"/opt/cowork-terminal-mcp\", // old\n"
        "    \"env\": {\"A\": \"1\"},\n    \"timeout\": 600000,\n    \"args\": [],\n    \"dev\": {},\n"
        "    \"type\": \"stdio\"\n  }\n}}");
  CHECK(contains(report.remarks, "had the options --x, and has no options now"));

  machine.client = "codex";
  write_text(machine.file(),
             "[mcp_servers.cowork-terminal]\ncommand = \"/old/cowork-terminal-mcp\"\nenv = {A = \"1\"}\n");
  machine.install();
  CHECK(read_text(machine.file()) ==
        "[mcp_servers.cowork-terminal]\ncommand = \"/opt/cowork-terminal-mcp\"\nenv = {A = \"1\"}\nargs = []\n");
}

TEST_CASE("the Node original is named, and becomes this program under its own name with --replace", "[registration]") {
  const Machine machine;
  const std::string before =
      "{\n  \"mcpServers\": {\n    \"shell\": {\n      \"command\": \"cmd\",\n"
      "      \"args\": [\"/c\", \"npx\", \"-y\", \"cowork-terminal-mcp\"],\n      \"env\": {\"A\": \"1\"}\n    }\n  "
      "}\n}\n";
  write_text(machine.file(), before);
  const InstallReport beside = machine.install();
  CHECK(beside.exit_code == 0);
  CHECK(contains(beside.remarks, "the entry \"shell\" starts the Node original (cmd /c npx -y cowork-terminal-mcp)"));
  CHECK(contains(beside.remarks, "--replace"));
  CHECK(read_json(machine.file())["mcpServers"].size() == 2);

  write_text(machine.file(), before);
  InstallRequest request = machine.request();
  request.replacement = Replacement::replace;
  const InstallReport replaced = machine.install(request);
  CHECK(replaced.exit_code == 0);
  CHECK(contains(replaced.text, "Registered \"shell\" with Claude Desktop."));
  CHECK(read_text(machine.file()) ==
        "{\n  \"mcpServers\": {\n    \"shell\": {\n      \"command\": \"/opt/cowork-terminal-mcp\",\n"
        "      \"args\": [],\n      \"env\": {\"A\": \"1\"}\n    }\n  }\n}\n");

  const InstallReport removed = machine.uninstall();
  CHECK(contains(removed.text, "Took \"shell\" out"));
  CHECK(read_json(machine.file())["mcpServers"].empty());
}

TEST_CASE("an entry of the wanted name that starts something else is left alone without --replace", "[registration]") {
  const Machine machine;
  for (const std::string entry :
       {R"({"command": "npx", "args": ["-y", "cowork-terminal-mcp"]})", R"({"command": "other"})",
        R"({"type": "http", "url": "https://example.org"})", R"("text")"}) {
    CAPTURE(entry);
    const std::string before = "{\"mcpServers\": {\"cowork-terminal\": " + entry + ", \"z\": {}}}";
    write_text(machine.file(), before);
    const InstallReport refused = machine.install();
    CHECK(refused.exit_code == 1);
    CHECK(contains(refused.remarks, "--replace"));
    CHECK(machine.uninstall().exit_code == 1);
    CHECK(read_text(machine.file()) == before);

    InstallRequest request = machine.request();
    request.replacement = Replacement::replace;
    CHECK(machine.install(request).exit_code == 0);
    CHECK(read_json(machine.file())["mcpServers"]["cowork-terminal"] ==
          Json::parse(R"({"command": "/opt/cowork-terminal-mcp", "args": []})"));
    CHECK(machine.uninstall().exit_code == 0);
    CHECK(read_text(machine.file()) == "{\"mcpServers\": {\"z\": {}}}");
  }
}

TEST_CASE("a broken file is refused with its place and nothing is written", "[registration]") {
  Machine machine;
  write_text(machine.file(), "{\n  \"mcpServers\": {\n}");
  const InstallReport report = machine.install();
  CHECK(report.exit_code == 1);
  CHECK(report.changes.empty());
  CHECK(contains(report.remarks, utf8_from_path(machine.file()) + ": line 1, column 1: "));
  CHECK(contains(report.remarks, "Nothing was written."));
  CHECK(files_in(machine.file().parent_path()) == 1);

  machine.client = "codex";
  write_text(machine.file(), "a = 1\nmcp_servers = {}\n");
  CHECK(contains(machine.install().remarks, "line 2, column 1: "));
  CHECK(machine.uninstall().exit_code == 1);
}

TEST_CASE("of several files of a client none is written when one cannot be used", "[registration]") {
  Machine machine;
  machine.platform = Platform::windows;
  const auto roaming = machine.folder.path() / "home" / "AppData" / "Roaming" / "Claude" / "claude_desktop_config.json";
  const auto store = machine.folder.path() / "home" / "AppData" / "Local" / "Packages" / "Claude_pzs8sxrjxfjjc" /
                     "LocalCache" / "Roaming" / "Claude" / "claude_desktop_config.json";
  write_text(roaming, "{}");
  write_text(store, "{");
  CHECK(machine.install().exit_code == 1);
  CHECK(read_text(roaming) == "{}");
  write_text(store, "{}");
  CHECK(machine.install().changes.size() == 2);
  CHECK(read_json(roaming)["mcpServers"].contains("cowork-terminal"));
  CHECK(read_json(store)["mcpServers"].contains("cowork-terminal"));
  CHECK(machine.uninstall().changes.size() == 2);
  CHECK(read_text(store) == "{}");
}
