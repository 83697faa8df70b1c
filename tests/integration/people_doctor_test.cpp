// `doctor` as people run it (contract §6), and a server as a desktop starts it.

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "support/catch.hpp"
#include "support/person.hpp"

using namespace cowork_terminal::testing;

namespace {

struct Doctor {
  explicit Doctor(const ProgramEnd& end) : exit_code(end.exit_code), report(json::parse(end.standard_output)) {
    INFO(end.standard_error);
    CHECK(end.standard_error.empty());
    CHECK(report.at("ok") == (exit_code == 0));
    for (const auto& check : report.at("checks")) {
      INFO(check);
      CHECK((check.at("verdict") == "ok" || !check.value("remedy", "").empty()));
    }
  }

  // The checks of this name, "verdict: finding" each.
  [[nodiscard]] std::vector<std::string> checks(std::string_view name) const {
    std::vector<std::string> found;
    for (const auto& check : report.at("checks")) {
      if (check.at("check") == name)
        found.push_back(check.at("verdict").get<std::string>() + ": " + check.at("finding").get<std::string>());
    }
    return found;
  }
  // The only one.
  [[nodiscard]] std::string check(std::string_view name) const {
    const auto found = checks(name);
    return found.size() == 1 ? found.front() : std::to_string(found.size()) + " checks";
  }

  int exit_code;
  json report;
};

Doctor doctor(const Person& person, std::vector<std::string> options = {}, const std::vector<std::string>& more = {}) {
  options.insert(options.end(), {"doctor", "--json"});
  return Doctor(person.run(options, more));
}

bool starts_with(const std::string& text, std::string_view start) { return text.starts_with(start); }

ServerStart desktop_start(const Person& person, std::vector<std::string> arguments = {}) {
  ServerStart start{.arguments = std::move(arguments)};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text(*variable);
    start.environment.emplace_back(text.substr(0, text.find('=')), std::nullopt);
  }
  std::erase_if(start.environment,
                [](const auto& variable) { return variable.first == "HOME" || variable.first == "SHELL"; });
  start.environment.emplace_back("HOME", person.home());
  start.environment.emplace_back("SHELL", "/bin/bash");
  return start;
}

void give_profile_with_banner(const Person& person) {
  person.write(person.home() + "/.profile",
               "echo BANNER; echo BANNER >&2; export GREETING=hello; PATH=$PATH:$HOME/tools; export PATH\n");
  person.write(person.home() + "/tools/mytool", "#!/bin/sh\necho \"$GREETING from mytool\"\n");
  std::filesystem::permissions(person.home() + "/tools/mytool", std::filesystem::perms::owner_all);
}

}  // namespace

TEST_CASE("on a good machine everything is checked and well") {
  const Person person;
  REQUIRE(person.run({"install", "--client", "cursor"}).exit_code == 0);
  const auto found = doctor(person);
  CHECK(found.exit_code == 0);
  CHECK(contains(found.check("program"), program_path()));
  CHECK(starts_with(found.check("bash"), "ok: /"));
  CHECK(contains(found.check("bash"), "version "));
  CHECK(found.check("home directory") == "ok: " + person.home());
  CHECK(starts_with(found.check("log of commands"), "ok: " + person.home() + "/.local/state/"));
  CHECK(starts_with(found.check("Cursor"), "ok: entry `cowork-terminal` in " + person.home() + "/.cursor/mcp.json"));
  CHECK(starts_with(found.check("self-test"), "ok: "));

  const auto text = person.run({"doctor"});
  CHECK(text.exit_code == 0);
  CHECK(contains(text.standard_output, "\u2713 bash: /"));
  CHECK_FALSE(contains(text.standard_output, "\u2717"));
}

TEST_CASE("a bash that is not there is broken") {
  const Person person;
  const auto found = doctor(person, {"--bash", "/no/such/bash"});
  CHECK(found.exit_code == 1);
  CHECK(contains(found.check("bash"), "broken: --bash /no/such/bash"));
  const auto text = person.run({"doctor", "--bash", "/no/such/bash"});
  CHECK(text.exit_code == 1);
  CHECK(contains(text.standard_output, "\u2717 bash: "));
}

TEST_CASE("a log that cannot be written is broken, and none that is not wanted") {
  const Person person;
  person.write(person.home() + "/plain", "");
  const auto found = doctor(person, {}, {"XDG_STATE_HOME=" + person.home() + "/plain"});
  CHECK(found.exit_code == 1);
  CHECK(starts_with(found.check("log of commands"), "broken: "));

  const auto file = person.home() + "/plain/commands.jsonl";
  const auto chosen = doctor(person, {"--audit-log", file});
  CHECK(chosen.exit_code == 1);
  CHECK(starts_with(chosen.check("log of commands"), "broken: " + file));

  const auto none = doctor(person, {"--no-audit-log"}, {"XDG_STATE_HOME=" + person.home() + "/plain"});
  CHECK(none.exit_code == 0);
  CHECK(starts_with(none.check("log of commands"), "remark: "));
}

TEST_CASE("entries that start something else are remarks with the line that mends them") {
  const Person person;
  person.write(person.home() + "/.cursor/mcp.json",
               R"({"mcpServers":{"cowork-terminal":{"command":"npx","args":["-y","cowork-terminal-mcp"]}}})");
  person.write(person.home() + "/.codex/config.toml",
               "[mcp_servers.terminal]\ncommand = \"/opt/old/cowork-terminal-mcp\"\n");
  const auto found = doctor(person);
  CHECK(found.exit_code == 0);
  CHECK(starts_with(found.check("Cursor"), "remark: "));
  CHECK(contains(found.check("Cursor"), "Node original"));
  CHECK(starts_with(found.check("Codex"), "remark: "));
  CHECK(contains(found.check("Codex"), "/opt/old/cowork-terminal-mcp"));
  for (const auto& check : found.report.at("checks")) {
    if (check.at("check") == "Cursor")
      CHECK(contains(check.at("remedy").get<std::string>(), "install --client cursor --replace"));
  }
}

TEST_CASE("a client's configuration that cannot be read is broken") {
  const Person person;
  person.write(person.home() + "/.cursor/mcp.json", "{\n  \"mcpServers\": {]\n");
  const auto found = doctor(person);
  CHECK(found.exit_code == 1);
  CHECK(starts_with(found.check("Cursor"), "broken: "));
  CHECK(contains(found.check("Cursor"), "line 2, column 18"));
}

TEST_CASE("the PATH that a login shell would have is told") {
  const Person person;
  give_profile_with_banner(person);
  const auto found = doctor(person);
  CHECK(found.exit_code == 0);
  CHECK(starts_with(found.check("PATH"), "remark: "));
  CHECK(contains(found.check("PATH"), person.home() + "/tools"));
  CHECK_FALSE(contains(found.report.dump(), "BANNER"));
}

TEST_CASE("a login shell that does not answer is a remark") {
  const Person person;
  person.write(person.home() + "/.profile", "exit 3\n");
  const auto found = doctor(person);
  CHECK(found.exit_code == 0);
  CHECK(starts_with(found.check("PATH"), "remark: "));
  CHECK(contains(found.check("PATH"), "exit code 3"));
}

TEST_CASE("a server started from a desktop finds what the login shell would, and no banner", "[K38]") {
  const Person person;
  give_profile_with_banner(person);
  ServerProcess server(desktop_start(person));
  server.initialize();
  const auto result = server.run("mytool");
  CHECK(result.at("stdout") == "hello from mytool\n");
  CHECK(result.at("stderr") == "");
  CHECK_FALSE(contains(result.dump(), "BANNER"));
  CHECK_FALSE(contains(server.run("mytool; pwd").dump(), "BANNER"));
  CHECK_FALSE(contains(server.standard_error(), "BANNER"));
  for (const auto& message : server.others) CHECK_FALSE(contains(message.dump(), "BANNER"));
}

TEST_CASE("the login shell is not asked when that is not wanted, or the server was started from a shell", "[K38]") {
  const Person person;
  give_profile_with_banner(person);
  ServerProcess never(desktop_start(person, {"--login-env", "never"}));
  never.initialize();
  CHECK(never.run("mytool").at("exitCode") == 127);

  auto start = desktop_start(person);
  std::erase_if(start.environment, [](const auto& variable) { return variable.first == "SHLVL"; });
  start.environment.emplace_back("SHLVL", "1");
  ServerProcess from_shell(start);
  from_shell.initialize();
  CHECK(from_shell.run("mytool").at("exitCode") == 127);
  CHECK(from_shell.run("echo ${GREETING-none}").at("stdout") == "none\n");
}
