#include <cowork_terminal/app/options.hpp>
#include <cowork_terminal/version.hpp>

#include "support/catch.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::app;

namespace {

template <class Kind>
Kind parsed(std::vector<std::string> arguments) {
  auto invocation = parse_options(std::move(arguments));
  REQUIRE(std::holds_alternative<Kind>(invocation));
  return std::get<Kind>(std::move(invocation));
}

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

}  // namespace

TEST_CASE("without a subcommand the program is the server", "[app][C-1]") {
  const auto options = parsed<ServeOptions>({});
  CHECK(options.common.bash.empty());
  CHECK(options.common.max_output == 1'048'576);
  CHECK(options.common.log_level == LogLevel::info);
}

TEST_CASE("the server's options are values", "[app]") {
  const auto options = parsed<ServeOptions>({"--bash", "/bin/bash", "--max-output", "2048", "--log-level", "debug"});
  CHECK(options.common.bash == "/bin/bash");
  CHECK(options.common.max_output == 2'048);
  CHECK(options.common.log_level == LogLevel::debug);
}

TEST_CASE("wrong use is exit code 2 with a word on what to do", "[app]") {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"--nonsense"},
                                                                     {"--max-output", "1023"},
                                                                     {"--max-output", "1048577"},
                                                                     {"--max-output", "many"},
                                                                     {"--log-level", "loud"},
                                                                     {"unknown"},
                                                                     {"exec"},
                                                                     {"exec", "--timeout", "0", "--", "true"},
                                                                     {"exec", "--timeout", "5s", "--", "true"},
                                                                     {"exec", "--env", "A", "--", "true"},
                                                                     {"exec", "--env", "=A", "--", "true"},
                                                                     {"exec", "ls", "-la"}}) {
    const auto leave = parsed<Leave>(arguments);
    INFO(leave.standard_error);
    CHECK(leave.exit_code == 2);
    CHECK(leave.standard_output.empty());
    CHECK(leave.standard_error.size() > 40);
  }
}

TEST_CASE("help and version are printed on stdout", "[app][C-3]") {
  const auto told = parsed<Leave>({"--version"});
  CHECK(told.exit_code == 0);
  CHECK(told.standard_output == std::string("cowork-terminal-mcp ") + version + "\n");
  const auto help = parsed<Leave>({"--help"});
  CHECK(help.exit_code == 0);
  for (const auto* word : {"--bash", "--max-output", "--log-level", "exec"})
    CHECK(mentions(help.standard_output, word));
  CHECK(mentions(parsed<Leave>({"exec", "--help"}).standard_output, "--timeout"));
}

TEST_CASE("exec joins its words by blanks and takes its options", "[app]") {
  const auto options =
      parsed<ExecOptions>({"--max-output", "4096", "exec", "--cwd", "/tmp", "--timeout", "1500", "--env", "A=1",
                           "--env", "B=x=y", "--json", "--", "echo", "-n", "hi there"});
  CHECK(options.common.max_output == 4'096);
  CHECK(options.arguments.command == "echo -n hi there");
  CHECK(options.arguments.working_directory == "/tmp");
  CHECK(options.arguments.timeout->duration == std::chrono::milliseconds(1'500));
  const std::vector<std::pair<std::string, std::optional<std::string>>> expected{{"A", "1"}, {"B", "x=y"}};
  CHECK(options.arguments.environment == expected);
  CHECK(options.json);
}

TEST_CASE("install and uninstall need a client, printing does not", "[app]") {
  CHECK(parsed<Leave>({"install"}).exit_code == 2);
  CHECK(mentions(parsed<Leave>({"uninstall"}).standard_error, "claude-desktop"));
  CHECK(parsed<InstallOptions>({"install", "--print"}).print);
  const auto options =
      parsed<InstallOptions>({"install", "--client", "cursor", "--replace", "--dry-run", "--", "--max-wait", "5"});
  CHECK(options.client == "cursor");
  CHECK(options.replace);
  CHECK(options.dry_run);
  CHECK(options.arguments == std::vector<std::string>{"--max-wait", "5"});
  CHECK(parsed<UninstallOptions>({"uninstall", "--client", "cursor", "--name", "x"}).name == "x");
  CHECK(parsed<DoctorOptions>({"doctor", "--json"}).json);
}

TEST_CASE("options of jobs, environment and log are values", "[app]") {
  const auto options = parsed<ServeOptions>({"--max-wait", "45000", "--login-env", "never", "--audit-log", "/tmp/x"});
  CHECK(options.max_wait == std::chrono::milliseconds(45'000));
  CHECK(options.login_environment == shell::LoginEnvironmentMode::never);
  CHECK(options.audit_log == "/tmp/x");
  CHECK(parsed<ServeOptions>({"--no-audit-log"}).no_audit_log);
  CHECK(parsed<Leave>({"--audit-log", "/tmp/x", "--no-audit-log"}).exit_code == 2);
  CHECK(parsed<Leave>({"--max-wait", "-1"}).exit_code == 2);
  CHECK(parsed<Leave>({"--login-env", "sometimes"}).exit_code == 2);
}

TEST_CASE("doctor takes the options of the server it checks, and exec those for commands", "[app]") {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"doctor", "--bash", "/opt/bash", "--audit-log", "/tmp/x", "--login-env", "always", "--max-wait", "5"},
           {"--bash", "/opt/bash", "--audit-log", "/tmp/x", "--login-env", "always", "--max-wait", "5", "doctor"}}) {
    const auto server = parsed<DoctorOptions>(arguments).server;
    CHECK(server.common.bash == "/opt/bash");
    CHECK(server.audit_log == "/tmp/x");
    CHECK(server.login_environment == shell::LoginEnvironmentMode::always);
    CHECK(server.max_wait == std::chrono::milliseconds(5));
  }
  const auto options = parsed<ExecOptions>({"exec", "--bash", "/opt/bash", "--max-output", "4096", "--", "true"});
  CHECK(options.common.bash == "/opt/bash");
  CHECK(options.common.max_output == 4'096);
}
