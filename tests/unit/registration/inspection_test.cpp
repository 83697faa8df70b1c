#include <cowork_terminal/registration/inspection.hpp>
#include <cowork_terminal/registration/install.hpp>
#include <string>

#include "support/catch.hpp"
#include "unit/registration/temporary_folder.hpp"

using namespace cowork_terminal::registration;

TEST_CASE("an inspection finds what an installation wrote, for every client", "[registration]") {
  for (const Client& client : clients()) {
    const TemporaryFolder folder;
    const Surroundings surroundings = surroundings_in(folder, Platform::gnu_linux);
    InstallRequest request;
    request.client = client.name;
    request.executable = "/opt/cowork-terminal-mcp";
    request.args = {"--no-audit-log"};
    CAPTURE(request.client);
    CHECK_FALSE(inspect_client(client, request.executable, surroundings).files.back().exists);
    REQUIRE(install(request, surroundings).exit_code == 0);
    const InspectedFile file = inspect_client(client, request.executable, surroundings).files.back();
    CHECK(file.exists);
    REQUIRE(file.entries.size() == 1);
    CHECK(file.entries.front().entry.name == "cowork-terminal");
    CHECK(file.entries.front().entry.launch == Launch{request.executable, request.args});
    CHECK(file.entries.front().kind == EntryKind::this_program);
    CHECK(inspect_client(client, "/elsewhere", surroundings).files.back().entries.front().kind ==
          EntryKind::other_copy);
  }
}

TEST_CASE("an inspection names Node originals and leaves other servers out", "[registration]") {
  const TemporaryFolder folder;
  const Surroundings surroundings = surroundings_in(folder, Platform::gnu_linux);
  write_text(folder.path() / "home" / ".claude.json",
             R"({"mcpServers": {"a": {"command": "other"}, "b": {"command": "npx", "args": ["cowork-terminal-mcp"]}},
                 "projects": {"/p": {"mcpServers": {"c": {"command": "/opt/cowork-terminal-mcp"}}}}})");
  const InspectedClient client = inspect_client(*find_client("claude-code"), "/opt/cowork-terminal-mcp", surroundings);
  REQUIRE(client.files.size() == 2);
  const auto& entries = client.files.front().entries;
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].kind == EntryKind::node_original);
  CHECK(entries[0].scope.empty());
  CHECK(entries[1].kind == EntryKind::this_program);
  CHECK(entries[1].scope == "only in /p");
}

TEST_CASE("an inspection reports a file that cannot be used and goes on", "[registration]") {
  const TemporaryFolder folder;
  const Surroundings surroundings = surroundings_in(folder, Platform::gnu_linux);
  write_text(folder.path() / "home" / ".cursor" / "mcp.json", "{\n1}");
  std::filesystem::create_directories(folder.path() / "home" / ".codex" / "config.toml");
  const std::vector<InspectedClient> all = inspect_clients("/opt/cowork-terminal-mcp", surroundings);
  REQUIRE(all.size() == clients().size());
  CHECK(all[2].files.front().problem.find("line 2, column 1") == 0);
  CHECK(all[2].files.front().folder_exists);
  CHECK(all[3].files.front().problem.empty());
  CHECK_FALSE(all[3].files.front().folder_exists);
  CHECK_FALSE(all[4].files.front().problem.empty());
}
