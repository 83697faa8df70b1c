#include <cowork_terminal/registration/server_entry.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/registration/temporary_folder.hpp"

using namespace cowork_terminal::registration;

TEST_CASE("the Node original is known in every way it is started", "[registration]") {
  const std::vector<Launch> launches{
      {"npx", {"-y", "cowork-terminal-mcp"}},
      {"npx", {"cowork-terminal-mcp@0.2.1"}},
      {"/usr/local/bin/npx", {"--yes", "--package=x", "cowork-terminal-mcp@latest"}},
      {"cmd", {"/c", "npx", "-y", "cowork-terminal-mcp"}},
      {"C:\\Windows\\System32\\cmd.exe", {"/C", "npx -y cowork-terminal-mcp"}},
      {"cmd.exe", {"/c", "NPX.CMD", "-y", "cowork-terminal-mcp"}},
      {"C:\\Program Files\\nodejs\\npx.cmd", {"-y", "cowork-terminal-mcp"}},
      {"node", {"/home/ann/cowork-terminal-mcp/dist/index.js"}},
      {"C:\\Program Files\\nodejs\\node.exe", {"C:\\Users\\Ann B\\cowork-terminal-mcp\\dist\\index.js"}},
      {"/opt/node/bin/node", {"--no-warnings", "/usr/lib/node_modules/cowork-terminal-mcp/dist/index.js"}},
      {"bunx", {"cowork-terminal-mcp"}},
      {"bun", {"x", "cowork-terminal-mcp"}},
      {"pnpm", {"dlx", "cowork-terminal-mcp"}},
      {"yarn", {"dlx", "cowork-terminal-mcp"}},
      {"bash", {"-lc", "exec npx -y 'cowork-terminal-mcp'"}},
      {"npx -y cowork-terminal-mcp", {}},
      {"C:\\Users\\ann\\AppData\\Roaming\\npm\\cowork-terminal-mcp.cmd", {}},
      {"cowork-terminal-mcp.cmd", {}},
      {"/home/ann/.nvm/versions/node/v22.1.0/bin/cowork-terminal-mcp", {}},
      {"./node_modules/.bin/cowork-terminal-mcp", {}},
  };
  for (const Launch& launch : launches) {
    CAPTURE(command_line(launch));
    CHECK(kind_of(launch, "/opt/cowork-terminal-mcp") == EntryKind::node_original);
  }
}

TEST_CASE("programs of this name that are no Node original are copies of this one", "[registration]") {
  const std::vector<Launch> launches{
      {"/usr/bin/cowork-terminal-mcp", {}},
      {"cowork-terminal-mcp", {"--bash", "/usr/bin/bash"}},
      {"C:\\Tools\\Cowork-Terminal-MCP.exe", {}},
      {"/home/ann/cowork-terminal-mcp/build/cowork-terminal-mcp", {"--audit-log", "/home/ann/node/log"}},
  };
  for (const Launch& launch : launches) {
    CAPTURE(command_line(launch));
    CHECK(kind_of(launch, "/opt/cowork-terminal-mcp") == EntryKind::other_copy);
  }
}

TEST_CASE("other servers are foreign", "[registration]") {
  const std::vector<Launch> launches{
      {"", {}},
      {"npx", {"-y", "@modelcontextprotocol/server-filesystem", "/home/ann"}},
      {"npx", {"-y", "not-cowork-terminal-mcp"}},
      {"cat", {"/home/ann/cowork-terminal-mcp/README.md"}},
      {"/opt/cowork-terminal-mcp/bin/other", {"node"}},
  };
  for (const Launch& launch : launches) {
    CAPTURE(command_line(launch));
    CHECK(kind_of(launch, "/opt/cowork-terminal-mcp") == EntryKind::foreign);
  }
}

TEST_CASE("this program is known by its path, and by any path that leads to it", "[registration]") {
  const TemporaryFolder folder;
  write_text(folder / "program", "x");
  std::filesystem::create_directory(folder / "sub");
  const std::string executable = utf8_from_path(folder / "program");
  CHECK(kind_of({executable, {"--x"}}, executable) == EntryKind::this_program);
  CHECK(kind_of({utf8_from_path(folder.path() / "sub" / ".." / "program"), {}}, executable) == EntryKind::this_program);
  CHECK(kind_of({"/not/there", {}}, executable) == EntryKind::foreign);
  CHECK(kind_of({"/not/there", {}}, "/not/there") == EntryKind::this_program);
}

TEST_CASE("a launch is shown as a shell would take it", "[registration]") {
  CHECK(command_line({"/opt/x", {"--max-wait", "5", "", "it's", "$HOME"}}) ==
        "/opt/x --max-wait 5 '' 'it'\\''s' '$HOME'");
}
