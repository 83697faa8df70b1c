// `install` and `uninstall` as people run them (contract §6).

#include <sys/stat.h>

#include <algorithm>

#include "support/catch.hpp"
#include "support/person.hpp"

using namespace cowork_terminal::testing;

namespace {

const std::string program = program_path();

// A configuration as people have them: five other servers, the layout of no formatter, keys that nobody here knows.
struct Configuration {
  std::string client;
  std::string file;  // below home, or ./ for the project
  std::string text;
};

const std::vector<Configuration> configurations{
    {"claude-desktop", ".config/Claude/claude_desktop_config.json",
     R"({ "globalShortcut" : "Ctrl+Space",
     "mcpServers" :
     {
         "files": {"command":"npx","args":["-y","@scope/files","/home/ann"]},
	"git"  : { "command": "uvx", "args": [ "mcp-git" ], "env": {"A":"\u00e9 \/ \"q\""} },
         "remote": {"url": "https://mcp.example/sse", "headers": {"X-Key": "k"}},
         "n1": {"command": "/opt/n 1/server", "disabled": true, "autoApprove": []},

         "n2": {"command":"C:\\Tools\\n2.exe"}
     },
  "preferences":{"scale":1.50,"list":[1,2 ,3],"nothing":null}   }
)"},
    {"claude-code", "./.mcp.json",
     "{\r\n  \"mcpServers\": {\r\n    \"a\": {\"command\": \"a\"},\r\n    \"b\": {\"command\": \"b\"},\r\n    \"c\": "
     "{\"command\": \"c\"},\r\n    \"d\": {\"type\": \"http\", \"url\": \"https://mcp.example\"},\r\n    \"e\": "
     "{\"command\": \"e\", \"timeout\": 600000}\r\n  },\r\n  \"x\": [ ]\r\n}\r\n"},
    {"cursor", ".cursor/mcp.json",
     R"(// servers of the team; ask before you change one
{
   /* "mcpServers": { "old": {} }, */
   "mcpServers": { // all of them
      "a": { "command": "a" }, "b": { "command": "b" },
      "c": { "command": "c" // third
           },
      "d": { "command": "d", "args": ["// no comment", "/* none */"] },
      "e": { "command": "e" }, // last
   },
   "unknown": { "deep": { "deeper": [ { } ] } },
}
// end)"},
    {"vscode", ".config/Code/User/mcp.json",
     "{\n\t\"inputs\": [ { \"id\": \"key\", \"type\": \"promptString\" } ],\n\t\"servers\": {\n\t\t\"a\": { \"type\": "
     "\"stdio\", \"command\": \"a\" },\n\t\t\"b\": { \"type\": \"http\", \"url\": \"https://mcp.example\" "
     "},\n\t\t\"c\": "
     "{ \"command\": \"c\" },\n\t\t// \"off\": { \"command\": \"off\" },\n\t\t\"d\": { \"command\": \"d\" "
     "},\n\t\t\"e\": "
     "{ \"command\": \"e\" }\n\t}\n}\n"},
    {"codex", ".codex/config.toml",
     R"(# my settings
model = "gpt-5"   # the good one
  approval_policy= 'on-request'

[mcp_servers.a]
command = "a"
args = [ "one", # first
  "two",
]

[mcp_servers."b.c"]
command = '''b'''
env = { KEY = "v", "odd key" = "x" }
[mcp_servers.d]
  command = "d"
[mcp_servers.e]
url = "https://mcp.example"
[mcp_servers.f]
command = "f"

[profiles.work]
when = 1979-05-27T07:32:00Z
)"},
};

std::string path_of(const Person& person, const Configuration& configuration) {
  if (configuration.file.starts_with("./")) return person.project() + configuration.file.substr(1);
  return person.home() + "/" + configuration.file;
}

// What must be put into `before` at one place to give `after`; none if something else has changed as well.
std::optional<std::string> insertion(std::string_view before, std::string_view after) {
  const auto head = static_cast<std::size_t>(
      std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first - before.begin());
  const auto tail = before.size() - head;
  if (after.size() < before.size() || after.substr(after.size() - tail) != before.substr(head)) return std::nullopt;
  return std::string(after.substr(head, after.size() - before.size()));
}

json entry_of(const std::string& client) {
  json entry{{"command", program}, {"args", json::array()}};
  if (client == "claude-desktop") entry["args"] = {"--max-wait", "45000"};
  if (client == "vscode") entry["type"] = "stdio";
  return entry;
}

}  // namespace

TEST_CASE("installing adds our entry and no other byte, and uninstalling gives the same text again", "[K127]") {
  for (const auto& configuration : configurations) {
    INFO(configuration.client);
    const Person person;
    const auto file = path_of(person, configuration);
    person.write(file, configuration.text);
    chmod(file.c_str(), 0640);

    const auto installed = person.run({"install", "--client", configuration.client});
    CHECK(installed.exit_code == 0);
    CHECK(contains(installed.standard_output, file));
    CHECK(contains(installed.standard_output, "Next: "));
    const auto after = read_file(file);
    const auto added = insertion(configuration.text, after);
    INFO(after);
    REQUIRE(added);
    CHECK(contains(*added, program));
    CHECK(contains(*added, "cowork-terminal"));
    CHECK(read_file(file + ".bak") == configuration.text);
    struct stat status {};
    stat(file.c_str(), &status);
    CHECK((status.st_mode & 0777U) == 0640U);

    const auto before_second = person.everything();
    const auto second = person.run({"install", "--client", configuration.client});
    CHECK(second.exit_code == 0);
    CHECK(contains(second.standard_output, "Already registered"));
    CHECK(person.everything() == before_second);

    const auto uninstalled = person.run({"uninstall", "--client", configuration.client});
    CHECK(uninstalled.exit_code == 0);
    CHECK(read_file(file) == configuration.text);

    const auto before_fourth = person.everything();
    CHECK(person.run({"uninstall", "--client", configuration.client}).exit_code == 0);
    CHECK(person.everything() == before_fourth);
  }
}

TEST_CASE("what was added to a JSON file is read as our entry among the others", "[K127]") {
  for (const auto& configuration : configurations) {
    if (configuration.client == "codex" || configuration.client == "cursor") continue;  // no plain JSON
    INFO(configuration.client);
    const Person person;
    person.write(path_of(person, configuration), configuration.text);
    REQUIRE(person.run({"install", "--client", configuration.client}).exit_code == 0);
    auto expected = json::parse(configuration.text, nullptr, true, true);
    expected[configuration.client == "vscode" ? "servers" : "mcpServers"]["cowork-terminal"] =
        entry_of(configuration.client);
    CHECK(json::parse(read_file(path_of(person, configuration)), nullptr, true, true) == expected);
  }
}

TEST_CASE("where there is no configuration one is made, and taken away again", "[K127]") {
  for (const auto& configuration : configurations) {
    INFO(configuration.client);
    const Person person;
    const auto file = path_of(person, configuration);
    CHECK(person.run({"install", "--client", configuration.client}).exit_code == 0);
    CHECK(contains(read_file(file), program));
    CHECK(read_file(file).substr(0, 3) != "\xEF\xBB\xBF");
    CHECK(person.run({"uninstall", "--client", configuration.client}).exit_code == 0);
    CHECK(person.everything().empty());
  }
}

TEST_CASE("a configuration that cannot be read is refused with line and column, and nothing is written", "[K127]") {
  for (const auto& configuration : configurations) {
    INFO(configuration.client);
    const Person person;
    const bool is_toml = configuration.client == "codex";
    person.write(path_of(person, configuration),
                 is_toml ? "[mcp_servers.a]\n  command = ,\n" : "{\n  \"a\": oops\n}\n");
    const auto before = person.everything();
    for (const auto* subcommand : {"install", "uninstall"}) {
      const auto end = person.run({subcommand, "--client", configuration.client});
      CHECK(end.exit_code == 1);
      CHECK(end.standard_output.empty());
      INFO(end.standard_error);
      CHECK(contains(end.standard_error, path_of(person, configuration)));
      CHECK(contains(end.standard_error, is_toml ? "line 2, column 13" : "line 2, column 8"));
      CHECK(person.everything() == before);
    }
  }
}

TEST_CASE("a dry run shows the change and writes nothing") {
  for (const auto& configuration : configurations) {
    INFO(configuration.client);
    const Person person;
    person.write(path_of(person, configuration), configuration.text);
    const auto before = person.everything();
    const auto end = person.run({"install", "--client", configuration.client, "--dry-run"});
    CHECK(end.exit_code == 0);
    CHECK(contains(end.standard_output, "\n+"));
    CHECK(contains(end.standard_output, program));
    CHECK(person.everything() == before);
    REQUIRE(person.run({"install", "--client", configuration.client}).exit_code == 0);
    const auto installed = person.everything();
    const auto removal = person.run({"uninstall", "--client", configuration.client, "--dry-run"});
    CHECK(removal.exit_code == 0);
    CHECK(contains(removal.standard_output, "\n-"));
    CHECK(person.everything() == installed);
  }
}

TEST_CASE("the entry is printed for any client, with the options of the server, and nothing is written") {
  const Person person;
  for (const std::string client : {"", "claude-desktop", "claude-code", "cursor", "vscode"}) {
    INFO(client);
    std::vector<std::string> arguments{"install", "--print", "--name", "mine"};
    if (!client.empty()) arguments.insert(arguments.end(), {"--client", client});
    arguments.insert(arguments.end(), {"--", "--max-output", "4096"});
    const auto end = person.run(arguments);
    CHECK(end.exit_code == 0);
    auto expected = entry_of(client);
    expected["args"] = {"--max-output", "4096"};
    CHECK(json::parse(end.standard_output).at(client == "vscode" ? "servers" : "mcpServers").at("mine") == expected);
  }
  const auto toml = person.run({"install", "--print", "--client", "codex"});
  CHECK(toml.standard_output == "[mcp_servers.cowork-terminal]\ncommand = \"" + program + "\"\nargs = []\n");
  CHECK(person.everything().empty());
}

TEST_CASE("an entry of the Node original is replaced only when asked to, and keeps its other keys") {
  const Person person;
  const auto file = person.home() + "/.config/Claude/claude_desktop_config.json";
  person.write(file, R"({"mcpServers":{"cowork-terminal":{"command":"npx","args":["-y","cowork-terminal-mcp"],)"
                     R"("env":{"A":"b"}},"other":{"command":"o"}}})");
  const auto before = person.everything();
  const auto refused = person.run({"install", "--client", "claude-desktop"});
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.standard_error, "--replace"));
  CHECK(person.everything() == before);

  CHECK(person.run({"install", "--client", "claude-desktop", "--replace"}).exit_code == 0);
  auto entry = entry_of("claude-desktop");
  entry["env"] = {{"A", "b"}};
  CHECK(json::parse(read_file(file)) ==
        json{{"mcpServers", {{"cowork-terminal", entry}, {"other", {{"command", "o"}}}}}});
}

TEST_CASE("another program's entry of our name is left alone") {
  const Person person;
  const auto file = person.home() + "/.cursor/mcp.json";
  person.write(file, R"({"mcpServers":{"cowork-terminal":{"command":"/opt/else"}}})");
  const auto before = person.everything();
  for (const auto* subcommand : {"install", "uninstall"}) {
    const auto end = person.run({subcommand, "--client", "cursor"});
    CHECK(end.exit_code == 1);
    CHECK(contains(end.standard_error, "/opt/else"));
  }
  CHECK(person.everything() == before);
  CHECK(person.run({"install", "--client", "cursor", "--name", "mine"}).exit_code == 0);
  CHECK(json::parse(read_file(file)).at("mcpServers").at("mine") == entry_of("cursor"));
}

TEST_CASE("an unknown client is wrong use, and the known ones are named") {
  const Person person;
  for (const auto* subcommand : {"install", "uninstall"}) {
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{subcommand, "--client", "nope"}, {subcommand}}) {
      const auto end = person.run(arguments);
      CHECK(end.exit_code == 2);
      CHECK(end.standard_output.empty());
      for (const auto& configuration : configurations) CHECK(contains(end.standard_error, configuration.client));
    }
  }
  CHECK(person.everything().empty());
}

TEST_CASE("Claude Code is registered with by its own program where there is one") {
  const Person person;
  person.put_program("claude", "printf '<%s>' \"$@\" >>\"$HOME/calls\"\n");
  CHECK(person.run({"install", "--client", "claude-code", "--", "--max-output", "4096"}).exit_code == 0);
  CHECK(read_file(person.home() + "/calls") ==
        "<mcp><add><cowork-terminal><-s><user><--><" + program + "><--max-output><4096>");
  CHECK(person.everything().size() == 2);  // the stand-in and its record

  person.put_program("claude", "echo 'not logged in' >&2; exit 7\n");
  const auto failed = person.run({"install", "--client", "claude-code"});
  CHECK(failed.exit_code == 1);
  CHECK(contains(failed.standard_error, "not logged in"));
}
