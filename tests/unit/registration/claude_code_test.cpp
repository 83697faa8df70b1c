#include "registration/claude_code.hpp"

#include <cowork_terminal/registration/client.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/registration/temporary_folder.hpp"

using namespace cowork_terminal::registration;
using Json = nlohmann::ordered_json;
using Argv = std::vector<std::string>;

namespace {

// A machine with a stand-in for `claude` that notes its calls.
struct MachineWithClaude {
  TemporaryFolder folder;
  std::vector<Argv> calls;
  std::string failing;  // the subcommand of `claude mcp` that fails

  [[nodiscard]] Surroundings surroundings() {
    Surroundings result = surroundings_in(folder, Platform::gnu_linux);
    result.find_program = [](std::string_view name) {
      return name == "claude" ? std::optional<std::string>("/bin/claude") : std::nullopt;
    };
    result.run_program = [this](const Argv& argv) {
      calls.push_back(argv);
      return argv[2] == failing ? ProgramOutcome{1, "no such thing"} : ProgramOutcome{0, ""};
    };
    return result;
  }
  void set_servers(const Json& servers) {
    write_text(claude_code_user_file(surroundings()), Json{{"numStartups", 3}, {"mcpServers", servers}}.dump());
  }
  InstallReport install(InstallRequest request) {
    request.client = "claude-code";
    request.executable = "/opt/cowork-terminal-mcp";
    return cowork_terminal::registration::install(request, surroundings());
  }
  InstallReport uninstall() {
    UninstallRequest request;
    request.client = "claude-code";
    request.executable = "/opt/cowork-terminal-mcp";
    return cowork_terminal::registration::uninstall(request, surroundings());
  }
};

}  // namespace

TEST_CASE("Claude Code is asked to add the entry, name first", "[registration]") {
  MachineWithClaude machine;
  InstallRequest request;
  request.args = {"--max-wait", "5"};
  const InstallReport report = machine.install(request);
  CHECK(report.exit_code == 0);
  CHECK(machine.calls == std::vector<Argv>{{"/bin/claude", "mcp", "add", "cowork-terminal", "-s", "user", "--",
                                            "/opt/cowork-terminal-mcp", "--max-wait", "5"}});
  CHECK(contains(report.text, "Registered \"cowork-terminal\" with Claude Code"));
  CHECK_FALSE(std::filesystem::exists(machine.folder / "project"));
}

TEST_CASE("Claude Code is not asked to add what is there", "[registration]") {
  MachineWithClaude machine;
  machine.set_servers({{"cowork-terminal", {{"command", "/opt/cowork-terminal-mcp"}, {"args", Json::array()}}}});
  const InstallReport report = machine.install({});
  CHECK(machine.calls.empty());
  CHECK(contains(report.text, "Already registered"));
}

TEST_CASE("an entry that Claude Code holds keeps its other keys", "[registration]") {
  MachineWithClaude machine;
  machine.set_servers({{"cowork-terminal",
                        {{"type", "stdio"},
                         {"command", "/old/cowork-terminal-mcp"},
                         {"args", Json::array()},
                         {"env", {{"A", "1"}}},
                         {"timeout", 600000}}}});
  CHECK(machine.install({}).exit_code == 0);
  REQUIRE(machine.calls.size() == 2);
  CHECK(machine.calls[0] == Argv{"/bin/claude", "mcp", "remove", "cowork-terminal", "-s", "user"});
  CHECK(machine.calls[1] ==
        Argv{"/bin/claude", "mcp", "add-json", "cowork-terminal", "-s", "user",
             R"({"type":"stdio","command":"/opt/cowork-terminal-mcp","args":[],"env":{"A":"1"},"timeout":600000})"});
}

TEST_CASE("the Node original in Claude Code is named, and replaced when that is wanted", "[registration]") {
  MachineWithClaude machine;
  machine.set_servers(
      {{"cowork-terminal", {{"command", "npx"}, {"args", {"-y", "cowork-terminal-mcp"}}, {"env", Json::object()}}}});
  const InstallReport refused = machine.install({});
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.remarks, "npx -y cowork-terminal-mcp"));
  CHECK(machine.calls.empty());

  InstallRequest request;
  request.replacement = Replacement::replace;
  CHECK(machine.install(request).exit_code == 0);
  REQUIRE(machine.calls.size() == 2);
  CHECK(machine.calls[1] ==
        Argv{"/bin/claude", "mcp", "add", "cowork-terminal", "-s", "user", "--", "/opt/cowork-terminal-mcp"});
}

TEST_CASE("an entry that could not be written anew is put back", "[registration]") {
  MachineWithClaude machine;
  machine.failing = "add";
  machine.set_servers({{"cowork-terminal", {{"command", "/old/cowork-terminal-mcp"}, {"args", {"--x"}}}}});
  const InstallReport report = machine.install({});
  CHECK(report.exit_code == 1);
  CHECK(contains(report.remarks, "no such thing"));
  CHECK(machine.calls.back() == Argv{"/bin/claude", "mcp", "add-json", "cowork-terminal", "-s", "user",
                                     R"({"command":"/old/cowork-terminal-mcp","args":["--x"]})"});
}

TEST_CASE("a dry run shows the calls and makes none", "[registration]") {
  MachineWithClaude machine;
  InstallRequest request;
  request.effect = Effect::dry_run;
  CHECK(contains(machine.install(request).text,
                 "  /bin/claude mcp add cowork-terminal -s user -- /opt/cowork-terminal-mcp\n"));
  CHECK(machine.calls.empty());
}

TEST_CASE("Node originals in single projects of Claude Code are named", "[registration]") {
  MachineWithClaude machine;
  write_text(
      claude_code_user_file(machine.surroundings()),
      R"({"projects": {"/projects/a": {"mcpServers": {"sh": {"command": "npx", "args": ["cowork-terminal-mcp"]}}}, "/b": 1}})");
  const InstallReport report = machine.install({});
  CHECK(report.exit_code == 0);
  CHECK(contains(report.remarks, "In /projects/a the entry \"sh\" starts the Node original (npx cowork-terminal-mcp)"));
}

TEST_CASE("Claude Code is asked to take the entry out, from the project too", "[registration]") {
  MachineWithClaude machine;
  machine.set_servers({{"cowork-terminal", {{"command", "/opt/cowork-terminal-mcp"}}}});
  const auto project = machine.folder.path() / "project" / ".mcp.json";
  write_text(project,
             R"({"mcpServers": {"cowork-terminal": {"command": "/opt/cowork-terminal-mcp", "args": []}, "z": {}}})");
  const InstallReport report = machine.uninstall();
  CHECK(report.exit_code == 0);
  CHECK(machine.calls == std::vector<Argv>{{"/bin/claude", "mcp", "remove", "cowork-terminal", "-s", "user"}});
  CHECK(read_text(project) == R"({"mcpServers": {"z": {}}})");

  machine.set_servers(Json::object());
  machine.calls.clear();
  CHECK(contains(machine.uninstall().text, "is not registered"));
  CHECK(machine.calls.empty());
}

TEST_CASE("a file of Claude Code that cannot be read stops both", "[registration]") {
  MachineWithClaude machine;
  write_text(claude_code_user_file(machine.surroundings()), "{");
  CHECK(machine.install({}).exit_code == 1);
  CHECK(contains(machine.uninstall().remarks, "line 1, column 1"));
  CHECK(machine.calls.empty());
}
