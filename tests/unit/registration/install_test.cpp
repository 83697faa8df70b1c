#include <cowork_terminal/registration/client.hpp>
#include <cowork_terminal/registration/install.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/registration/temporary_folder.hpp"

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

struct Machine {
  TemporaryFolder folder;
  Platform platform = Platform::macos;
  std::string client = "claude-desktop";

  [[nodiscard]] Surroundings surroundings() const { return surroundings_in(folder, platform); }
  [[nodiscard]] std::filesystem::path file() const {
    return config_files(*find_client(client), surroundings()).front();
  }
  [[nodiscard]] InstallRequest request() const {
    InstallRequest request;
    request.client = client;
    request.executable = "/opt/cowork-terminal-mcp";
    return request;
  }
  InstallReport install(const InstallRequest& request) const {
    return cowork_terminal::registration::install(request, surroundings());
  }
  InstallReport install() const { return install(request()); }
  InstallReport uninstall() const {
    UninstallRequest request;
    request.client = client;
    request.executable = "/opt/cowork-terminal-mcp";
    return cowork_terminal::registration::uninstall(request, surroundings());
  }
};

Json read_json(const std::filesystem::path& file) { return Json::parse(read_text(file)); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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

TEST_CASE("every client's file is as it was when the entry is taken out again", "[registration]") {
  const std::vector<std::string> json_texts{"",
                                            "\n",
                                            "{}",
                                            "{ }\n",
                                            "{\n}\n",
                                            "// mine\n",
                                            "{\"mcpServers\": {}, \"servers\": {\n}}",
                                            "{\"a\": 1,}",
                                            "{\"mcpServers\": { }}\r\n",
                                            "{\r\n\t\"servers\": {\r\n\r\n\t}\r\n}",
                                            five_servers};
  const std::vector<std::string> toml_texts{"", "\n", "model = \"o\"", "[mcp_servers.x]\r\ncommand = \"y\"\r\n"};
  for (const Client& client : clients()) {
    for (const std::string& text : client.syntax == ConfigSyntax::toml ? toml_texts : json_texts) {
      Machine machine;
      machine.client = client.name;
      CAPTURE(machine.client, text);
      write_text(machine.file(), text);
      CHECK(machine.install().exit_code == 0);
      CHECK(read_text(machine.file()) != text);
      CHECK(machine.uninstall().exit_code == 0);
      CHECK(read_text(machine.file()) == text);
    }
    Machine machine;
    machine.client = client.name;
    CHECK(machine.install().exit_code == 0);
    CHECK(machine.uninstall().exit_code == 0);
    CHECK(files_in(machine.file().parent_path()) == 0);
  }
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

TEST_CASE("a file that cannot be written is a failure with a remedy", "[registration]") {
  const Machine machine;
  write_text(machine.folder.path() / "home" / "Library", "a file in the way");
  const InstallReport report = machine.install();
  CHECK(report.exit_code == 1);
  CHECK(contains(report.remarks, "install --print"));
  CHECK(report.text.empty());
}

TEST_CASE("a dry run shows the change and makes none", "[registration]") {
  const Machine machine;
  write_text(machine.file(), "{\"mcpServers\": {}}\n");
  InstallRequest request = machine.request();
  request.effect = Effect::dry_run;
  const InstallReport report = machine.install(request);
  CHECK(report.exit_code == 0);
  CHECK(contains(report.text,
                 "@@ -1 +1 @@\n-{\"mcpServers\": {}}\n+{\"mcpServers\": {\"cowork-terminal\": {\"command\": "
                 "\"/opt/cowork-terminal-mcp\", \"args\": []}}}\n"));
  CHECK(contains(report.text, "Nothing was written"));
  CHECK(report.changes.size() == 1);
  CHECK(read_text(machine.file()) == "{\"mcpServers\": {}}\n");
  CHECK(files_in(machine.file().parent_path()) == 1);

  machine.install();
  UninstallRequest uninstallation;
  uninstallation.client = machine.client;
  uninstallation.executable = "/opt/cowork-terminal-mcp";
  uninstallation.effect = Effect::dry_run;
  CHECK(contains(uninstall(uninstallation, machine.surroundings()).text, "\n+{\"mcpServers\": {}}\n"));
  CHECK(read_json(machine.file())["mcpServers"].size() == 1);
}

TEST_CASE("a report says what was written, where the backup is, and what to do next", "[registration]") {
  const Machine machine;
  write_text(machine.file(), "{}");
  InstallRequest request = machine.request();
  request.args = {"--audit-log", "/tmp/my log"};
  const std::string file = utf8_from_path(machine.file());
  CHECK(machine.install(request).text == "Registered \"cowork-terminal\" with Claude Desktop.\n  File:    " + file +
                                             "\n  Backup:  " + file +
                                             ".bak\n  Starts:  /opt/cowork-terminal-mcp --audit-log '/tmp/my log'\n"
                                             "Next: Quit Claude Desktop from its menu (Claude, then Quit Claude); "
                                             "closing the window is not enough. Then open it "
                                             "again.\n");
}

TEST_CASE("taking out what is not there is fine and writes nothing", "[registration]") {
  const Machine machine;
  const InstallReport missing = machine.uninstall();
  CHECK(missing.exit_code == 0);
  CHECK(contains(missing.text, "is not registered with Claude Desktop"));
  CHECK_FALSE(std::filesystem::exists(machine.file()));
  write_text(machine.file(), "{\"mcpServers\": {\"x\": {\"command\": \"y\"}}}");
  CHECK(machine.uninstall().exit_code == 0);
  CHECK(files_in(machine.file().parent_path()) == 1);
}

TEST_CASE("what a person added to the file since the installation stays", "[registration]") {
  const Machine machine;
  write_text(machine.file(), "{}");
  machine.install();
  std::string text = read_text(machine.file());
  text.replace(text.rfind('}'), 1, "  , \"later\": true }");
  write_text(machine.file(), text);
  CHECK(machine.uninstall().exit_code == 0);
  CHECK(read_json(machine.file()) == Json::parse(R"({"mcpServers": {}, "later": true})"));
}

TEST_CASE("wrong use is told from failure, and says what exists", "[registration]") {
  const Machine machine;
  InstallRequest request = machine.request();
  request.client = "emacs";
  const InstallReport unknown = machine.install(request);
  CHECK(unknown.exit_code == 2);
  CHECK(contains(unknown.remarks, "\"emacs\""));
  CHECK(contains(unknown.remarks, "claude-desktop, claude-code, cursor, vscode, codex"));
  UninstallRequest uninstallation;
  uninstallation.client = "emacs";
  CHECK(uninstall(uninstallation, machine.surroundings()).exit_code == 2);

  for (const std::string name : {"", "a\nb", "\xFF"}) {
    request = machine.request();
    request.name = name;
    CHECK(machine.install(request).exit_code == 2);
  }
  request = machine.request();
  request.executable = "/opt/\xFF/cowork-terminal-mcp";
  CHECK(machine.install(request).exit_code == 1);
  request = machine.request();
  request.args = {"\xFF"};
  CHECK(machine.install(request).exit_code == 2);
  request = machine.request();
  request.client = "claude-code";
  request.name = "with blank";
  CHECK(machine.install(request).exit_code == 2);
  CHECK_FALSE(std::filesystem::exists(machine.file()));
}

TEST_CASE("the entry is printed for any other client, and alone on standard output", "[registration]") {
  InstallRequest request;
  request.executable = "C:\\Tools\\cowork-terminal-mcp.exe";
  request.args = {"--no-audit-log"};
  request.client = "zed";
  const InstallReport report = print_entry(request);
  CHECK(report.exit_code == 0);
  CHECK(report.text ==
        "{\n  \"mcpServers\": {\n    \"cowork-terminal\": {\n      \"command\": "
        "\"C:\\\\Tools\\\\cowork-terminal-mcp.exe\",\n"
        "      \"args\": [\"--no-audit-log\"]\n    }\n  }\n}\n");
  CHECK_FALSE(report.remarks.empty());
  request.client = "codex";
  CHECK(print_entry(request).text ==
        "[mcp_servers.cowork-terminal]\ncommand = 'C:\\Tools\\cowork-terminal-mcp.exe'\nargs = [\"--no-audit-log\"]\n");
}
