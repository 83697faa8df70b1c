#include <cowork_terminal/registration/install.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/registration/machine.hpp"

using namespace cowork_terminal::registration;

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
