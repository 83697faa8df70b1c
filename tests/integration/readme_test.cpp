// The README says what is true: its commands are run, its JSON and its tables are compared with the program.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "support/catch.hpp"
#include "support/markdown.hpp"
#include "support/person.hpp"

using namespace cowork_terminal::testing;

namespace {

std::string readme() { return read_file(std::string(source_folder()) + "/README.md"); }

std::set<std::string> options_in(const std::string& text) {
  std::set<std::string> options;
  for (auto at = text.find("--"); at != std::string::npos; at = text.find("--", at + 2)) {
    const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
    const auto word = text.substr(at, end - at);
    const bool is_start = at == 0 || std::string_view(" `\n,[").find(text[at - 1]) != std::string_view::npos;
    if (word.size() > 2 && is_start) options.insert(word);
  }
  return options;
}

// A person who has the program, git and the shell's usual programs; what must not really be run is stood in for.
struct PersonAtWork : Person {
  PersonAtWork() {
    std::filesystem::create_symlink(program_path(), bin() + "/cowork-terminal-mcp");
    put_program("make", "echo made \"$@\"\n");
    put_program("claude", "printf '<%s>' \"$@\" >>\"$HOME/calls\"\n");
  }
};

ProgramEnd run_as_typed(const Person& person, const std::string& line) {
  const auto path = "PATH=" + person.bin() + ":" + std::getenv("PATH");
  return StartedProgram({"/bin/bash", "-c", line}, person.environment({path}), person.project()).wait();
}

json definition(std::vector<std::string> options) {
  ServerProcess server({.arguments = std::move(options)});
  server.initialize();
  return server.response(server.request("tools/list")).at("result").at("tools").at(0);
}

struct Parameter {
  std::string type;  // as the table says
  std::string default_value;
};

void check_parameters(const std::map<std::string, Parameter>& told, const json& schema) {
  const std::map<std::string, std::string> types{{"string, required", "string"},
                                                 {"string", "string"},
                                                 {"number, ms", "number"},
                                                 {"object of strings", "object"},
                                                 {"boolean", "boolean"}};
  std::set<std::string> names;
  for (const auto& [name, property] : schema.at("properties").items()) names.insert(name);
  std::set<std::string> told_names;
  for (const auto& [name, parameter] : told) told_names.insert(name);
  CHECK(told_names == names);
  const auto required = schema.value("required", json::array());
  for (const auto& [name, parameter] : told) {
    INFO(name);
    const auto& property = schema.at("properties").at(name);
    CHECK(types.at(parameter.type) == property.at("type").get<std::string>());
    if (parameter.type == "object of strings") CHECK(property.at("additionalProperties").at("type") == "string");
    if (!required.empty()) {
      CHECK((parameter.type == "string, required") ==
            (std::find(required.begin(), required.end(), name) != required.end()));
    }
    if (property.contains("default") && parameter.default_value.find('`') == std::string::npos && required.size() == 1)
      CHECK(parameter.default_value == property.at("default").dump());
  }
}

}  // namespace

TEST_CASE("every command of the README does what it says") {
  const std::map<std::string, std::pair<int, std::string>> expectations{
      {"cowork-terminal-mcp exec -- 'git --version; echo err >&2; exit 3'", {3, "git version "}},
      {"cowork-terminal-mcp exec --timeout 5000 --json -- make test", {0, "\"stdout\":\"made test\\n\""}},
      {"cowork-terminal-mcp doctor", {0, "self-test: started as a server"}},
      {"cowork-terminal-mcp install --client claude-desktop",
       {0, "Registered \"cowork-terminal\" with Claude Desktop"}},
      {"cowork-terminal-mcp install --client claude-code", {0, "Registered \"cowork-terminal\" with Claude Code"}},
  };
  const PersonAtWork person;
  std::size_t run = 0;
  for (const auto& block : fenced_blocks(readme(), "sh")) {
    for (const auto& line : lines_of(block)) {
      INFO(line);
      if (line.starts_with("sh cmake/bootstrap.sh ")) {
        // CI runs these two.
        const auto script = read_file(std::string(source_folder()) + "/cmake/bootstrap.sh");
        CHECK(contains(script, "\n# " + line + " "));
      } else if (line.starts_with("claude mcp add ")) {
        CHECK(contains(line, "claude mcp add cowork-terminal -s user "));
        CHECK(contains(line, " -- /usr/local/bin/cowork-terminal-mcp"));
      } else {
        REQUIRE(line.starts_with("cowork-terminal-mcp "));
        REQUIRE(expectations.count(line) == 1);
        const auto& [exit_code, output] = expectations.at(line);
        const auto end = run_as_typed(person, line);
        INFO(end.standard_output << end.standard_error);
        CHECK(end.exit_code == exit_code);
        CHECK(contains(end.standard_output, output));
        ++run;
      }
    }
  }
  CHECK(run == expectations.size());
}

TEST_CASE("the README's line for Claude Code is what `install` runs") {
  const PersonAtWork person;
  REQUIRE(run_as_typed(person, "cowork-terminal-mcp install --client claude-code").exit_code == 0);
  const auto installed = read_file(person.home() + "/calls");
  std::filesystem::remove(person.home() + "/calls");
  std::string typed;
  for (const auto& block : fenced_blocks(readme(), "sh")) {
    if (block.starts_with("claude mcp add ") && !contains(block, " -e ")) typed = block;
  }
  REQUIRE(run_as_typed(person, typed).exit_code == 0);
  auto expected = read_file(person.home() + "/calls");
  const std::string path = "/usr/local/bin/cowork-terminal-mcp";
  expected.replace(expected.find(path), path.size(), program_path());
  CHECK(installed == expected);
}

TEST_CASE("every JSON block of the README is the entry that `install` writes") {
  const auto blocks = fenced_blocks(readme(), "json");
  std::size_t entries = 0;
  for (const auto& block : blocks) {
    INFO(block);
    auto parsed = json::parse(block);
    if (!parsed.contains("mcpServers")) continue;
    ++entries;
    auto& entry = parsed.at("mcpServers").at("cowork-terminal");
    const auto command = entry.at("command").get<std::string>();
    CHECK((command == "/usr/local/bin/cowork-terminal-mcp" || command == "C:\\Tools\\cowork-terminal-mcp.exe"));
    entry["command"] = program_path();
    CHECK(parsed == json::parse(Person().run({"install", "--print", "--client", "claude-desktop"}).standard_output));
    ServerProcess server({.arguments = entry.at("args").get<std::vector<std::string>>()});
    server.initialize();
    CHECK(server.run("echo ok").at("stdout") == "ok\n");
  }
  CHECK(entries == 2);
}

TEST_CASE("the README's table of options and --help name the same, with the same defaults") {
  const auto help = Person().run({"--help"}).standard_output;
  std::set<std::string> told;
  for (const auto& row : table(readme(), "option")) {
    REQUIRE(row.size() == 3);
    INFO(row[0]);
    const auto options = options_in(row[0]);
    told.insert(options.begin(), options.end());
    const auto value = row[1].substr(0, row[1].find(' '));
    const auto plain = value.find('`') == 0 ? value.substr(1, value.size() - 2) : value;
    if (plain != "searched" && plain != "on") {
      bool has_default = false;
      for (const auto& line : lines_of(help))
        has_default =
            has_default || (contains(line, *options.begin() + " ") && line.find("=" + plain) != std::string::npos);
      CHECK(has_default);
    }
  }
  auto known = options_in(help);
  known.erase("--help");
  known.erase("--version");
  CHECK(told == known);
}

TEST_CASE("every option that the README names for a subcommand is one") {
  std::set<std::string> known;
  for (const auto* subcommand : {"exec", "install", "uninstall", "doctor"}) {
    const auto options = options_in(Person().run({subcommand, "--help"}).standard_output);
    known.insert(options.begin(), options.end());
  }
  for (const auto& word : code_in(readme())) {
    const bool is_ours = word.starts_with("cowork-terminal-mcp ") || word.starts_with("install ") ||
                         word == "--dry-run" || word == "--print" || word == "--replace";
    if (!is_ours) continue;
    INFO(word);
    for (const auto& option : options_in(word)) CHECK(known.count(option) == 1);
  }
}

TEST_CASE("the README's tables of parameters and results are the tool's schemas") {
  std::map<std::string, Parameter> of_every_call;
  std::map<std::string, Parameter> with_jobs;
  for (const auto& row : table(readme(), "parameter")) {
    REQUIRE(row.size() == 4);
    const auto name = code_in(row[0]).at(0);
    with_jobs[name] = {row[1], row[2]};
    if (name != "wait" && name != "job" && name != "stop") of_every_call[name] = {row[1], row[2]};
  }
  const auto plain = definition({});
  check_parameters(of_every_call, plain.at("inputSchema"));
  check_parameters(with_jobs, definition({"--max-wait", "45000"}).at("inputSchema"));

  std::set<std::string> always;
  std::set<std::string> all;
  for (const auto& row : table(readme(), "result")) {
    REQUIRE(row.size() == 3);
    for (const auto& name : code_in(row[0])) {
      all.insert(name);
      if (row[1] == "yes") always.insert(name);
    }
  }
  std::set<std::string> properties;
  for (const auto& [name, property] : plain.at("outputSchema").at("properties").items()) properties.insert(name);
  CHECK(all == properties);
  CHECK(always == plain.at("outputSchema").at("required").get<std::set<std::string>>());
}

TEST_CASE("the README names the clients that there are") {
  const auto refused = Person().run({"install"}).standard_error;
  for (const auto& line : lines_of(readme())) {
    if (!line.starts_with("Clients it knows: ")) continue;
    std::string names;
    for (const auto& name : code_in(line)) {
      if (name != "--print") names += (names.empty() ? "" : ", ") + name;
    }
    INFO(refused);
    CHECK(contains(refused, "one of " + names + "."));
    return;
  }
  FAIL("no line with the clients");
}

TEST_CASE("the README's places on Linux are those that are used") {
  const Person person;
  std::map<std::string, std::string> linux_places;
  for (const auto& row : table(readme(), "system")) {
    if (row[0] == "Linux") linux_places[code_in(row[1]).at(0)] = row[1];
  }
  REQUIRE(linux_places.count("~/.config/Claude/claude_desktop_config.json") == 1);
  CHECK(person.run({"install", "--client", "claude-desktop"}).exit_code == 0);
  CHECK_FALSE(read_file(person.home() + "/.config/Claude/claude_desktop_config.json").empty());

  REQUIRE(linux_places.count("$XDG_STATE_HOME/cowork-terminal-mcp/commands.jsonl") == 1);
  CHECK(contains(linux_places.at("$XDG_STATE_HOME/cowork-terminal-mcp/commands.jsonl"), "`~/.local/state`"));
  for (const auto& [state, expected] : std::map<std::optional<std::string>, std::string>{
           {person.home() + "/state", person.home() + "/state"}, {std::nullopt, person.home() + "/.local/state"}}) {
    ServerProcess server({.environment = {{"HOME", person.home()}, {"XDG_STATE_HOME", state}}, .audit_log = true});
    server.initialize();
    server.run("true");
    CHECK(contains(read_file(expected + "/cowork-terminal-mcp/commands.jsonl"), "\"true\""));
  }
}

TEST_CASE("the files and presets that the README names are there") {
  const auto presets = json::parse(read_file(std::string(source_folder()) + "/CMakePresets.json"));
  std::set<std::string> workflows;
  for (const auto& preset : presets.at("workflowPresets")) workflows.insert(preset.at("name"));
  std::size_t files = 0;
  for (const auto& word : code_in(readme())) {
    INFO(word);
    const std::string workflow = "cmake --workflow --preset ";
    if (word.starts_with(workflow)) CHECK(workflows.count(word.substr(workflow.size())) == 1);
    const bool is_path = word.find_first_of(" ~%$\\<>\n") == std::string::npos && !word.starts_with("/") &&
                         (word.ends_with(".md") || word.starts_with("tests/") || word == "vcpkg.json");
    if (!is_path) continue;
    ++files;
    CHECK(std::filesystem::exists(std::string(source_folder()) + "/" + word));
  }
  CHECK(files >= 4);
  for (const auto& line : lines_of(readme())) {
    if (!contains(line, "are the other presets") && !line.starts_with("`cmake --workflow --preset dev`")) continue;
    for (const auto& word : code_in(line)) {
      INFO(word);
      if (word.find(' ') == std::string::npos) CHECK(workflows.count(word) == 1);
    }
  }
}
