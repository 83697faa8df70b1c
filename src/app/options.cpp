#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cowork_terminal/app/options.hpp>
#include <cowork_terminal/registration/client.hpp>
#include <cowork_terminal/version.hpp>
#include <map>
#include <sstream>

namespace cowork_terminal::app {

namespace {

constexpr int wrong_use = 2;

// Functions and not constants, which would be made at every start.
std::map<std::string, LogLevel> log_levels() {
  return {{"trace", LogLevel::trace}, {"debug", LogLevel::debug}, {"info", LogLevel::info},
          {"warn", LogLevel::warn},   {"error", LogLevel::error}, {"off", LogLevel::off}};
}

std::map<std::string, shell::LoginEnvironmentMode> login_environment_modes() {
  return {{"auto", shell::LoginEnvironmentMode::automatic},
          {"always", shell::LoginEnvironmentMode::always},
          {"never", shell::LoginEnvironmentMode::never}};
}

// The texts of `exec` before they are checked.
struct ExecWords {
  std::string timeout;
  std::vector<std::string> environment;
  std::vector<std::string> command;
};

void add_common_options(CLI::App& app, CommandOptions& options) {
  app.add_option("--bash", options.bash, "Use this bash (absolute path) instead of searching for one")
      ->type_name("PATH");
  app.add_option("--max-output", options.max_output, "Keep at most this much of stdout and of stderr, in bytes")
      ->type_name("BYTES")
      ->check(CLI::Range(std::size_t{1'024}, std::size_t{1'048'576}))
      ->capture_default_str();
  app.add_option("--log-level", options.log_level, "What to report on stderr: trace, debug, info, warn, error, off")
      ->type_name("LEVEL")
      ->transform(CLI::CheckedTransformer(log_levels(), CLI::ignore_case).description(""))
      ->default_str("info");
}

constexpr std::int64_t longest_wait_ms = 2'147'483'647;

void add_server_options(CLI::App& app, ServeOptions& options) {
  app.add_option_function<std::int64_t>(
         "--max-wait", [&options](std::int64_t time) { options.max_wait = std::chrono::milliseconds(time); },
         "Answer a call after this many milliseconds at the latest; longer commands go on as jobs. 0: off")
      ->type_name("MS")
      ->check(CLI::Range(std::int64_t{0}, longest_wait_ms))
      ->default_str("0");
  auto* file = app.add_option("--audit-log", options.audit_log,
                              "Record every command in this file; while it cannot be written, none is run")
                   ->type_name("FILE");
  app.add_flag("--no-audit-log", options.no_audit_log, "Keep no record of commands")->excludes(file);
  app.add_option(
         "--login-env", options.login_environment,
         "Give commands the PATH of your login shell, asked once: auto (when not started from a shell), always, never")
      ->type_name("MODE")
      ->transform(CLI::CheckedTransformer(login_environment_modes(), CLI::ignore_case).description(""))
      ->default_str("auto");
}

CLI::App* add_exec(CLI::App& app, CommandOptions& common, ExecOptions& options, ExecWords& words) {
  auto* exec = app.add_subcommand("exec", "Run one command as the tool would, print its output, return its exit code");
  exec->add_option("--cwd", options.arguments.working_directory, "Directory to run in; default: your home directory")
      ->type_name("DIR");
  exec->add_option("--timeout", words.timeout, "End the command after this many milliseconds; default: 30000")
      ->type_name("MS");
  exec->add_option("--env", words.environment, "Set a variable for the command; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  exec->add_flag("--json", options.json, "Print the result object instead");
  add_common_options(*exec, common);
  exec->add_option("command", words.command, "The command, after --; several words are joined by a blank")
      ->type_name("COMMAND")
      ->required();
  return exec;
}

void add_client_options(CLI::App& app, std::string& client, std::string& name, bool& dry_run) {
  app.add_option("--client", client, "One of " + registration::client_names())->type_name("NAME");
  app.add_option("--name", name, "The server's name in the client's configuration")
      ->type_name("NAME")
      ->default_str("cowork-terminal");
  app.add_flag("--dry-run", dry_run, "Show what would change, write nothing");
}

CLI::App* add_install(CLI::App& app, InstallOptions& options) {
  auto* install = app.add_subcommand("install", "Register this program with a client");
  add_client_options(*install, options.client, options.name, options.dry_run);
  install->add_flag("--replace", options.replace, "Replace entries of the Node original, or another of the same name");
  install->add_flag("--print", options.print, "Print the entry for any other client, write nothing");
  install->add_option("arguments", options.arguments, "Options of the server, after --")->type_name("ARGS");
  return install;
}

CLI::App* add_uninstall(CLI::App& app, UninstallOptions& options) {
  auto* uninstall = app.add_subcommand("uninstall", "Take the entry out of a client's configuration again");
  add_client_options(*uninstall, options.client, options.name, options.dry_run);
  return uninstall;
}

CLI::App* add_doctor(CLI::App& app, ServeOptions& server, DoctorOptions& options) {
  auto* doctor = app.add_subcommand("doctor", "Check everything that is needed, and say what to do");
  doctor->add_flag("--json", options.json, "Print the checks as JSON");
  add_common_options(*doctor, server.common);
  add_server_options(*doctor, server);
  return doctor;
}

std::string remedy(const CLI::App* app, const CLI::Error& error) {
  return std::string("cowork-terminal-mcp: ") + error.what() + "\nRun with --help for the options" +
         (app->get_subcommands().empty() ? "" : "; put -- before the words of a command") + ".\n";
}

Leave wrong(const std::string& text) { return {wrong_use, "", "cowork-terminal-mcp: " + text + "\n"}; }

Invocation finish_exec(ExecOptions options, const ExecWords& words) {
  if (!words.timeout.empty()) {
    options.arguments.timeout = tools::parse_timeout_text(words.timeout);
    if (!options.arguments.timeout)
      return wrong("--timeout must be a number of milliseconds greater than 0, e.g. 60000.");
  }
  for (const auto& text : words.environment) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return wrong("--env must be NAME=VALUE, not '" + text + "'.");
    options.arguments.environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  auto& command = options.arguments.command;
  for (const auto& word : words.command) command += (command.empty() ? "" : " ") + word;
  return options;
}

}  // namespace

Invocation parse_options(std::vector<std::string> arguments) {
  // As most clients start it. Making the options is half of all the work until the first answer.
  if (arguments.empty()) return ServeOptions{};

  ServeOptions serve_options;
  ExecOptions exec_options;
  ExecWords exec_words;

  CLI::App app{
      "MCP server on stdin/stdout that runs bash commands on this machine.\n"
      "Without a subcommand it is the server: put its path into the configuration of an MCP client.",
      "cowork-terminal-mcp"};
  app.set_version_flag("--version", std::string("cowork-terminal-mcp ") + version);
  app.option_defaults()->always_capture_default(false);
  app.require_subcommand(0, 1);
  add_common_options(app, serve_options.common);
  add_server_options(app, serve_options);
  const auto* exec = add_exec(app, serve_options.common, exec_options, exec_words);
  InstallOptions install_options;
  const auto* install = add_install(app, install_options);
  UninstallOptions uninstall_options;
  const auto* uninstall = add_uninstall(app, uninstall_options);
  DoctorOptions doctor_options;
  const auto* doctor = add_doctor(app, serve_options, doctor_options);

  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Error& error) {
    if (error.get_exit_code() != 0) return Leave{wrong_use, "", remedy(&app, error)};
    std::ostringstream text;
    app.exit(error, text, text);
    return Leave{0, text.str(), ""};
  }

  if (exec->parsed()) {
    exec_options.common = serve_options.common;
    return finish_exec(std::move(exec_options), exec_words);
  }
  const bool needs_client = (install->parsed() && !install_options.print) || uninstall->parsed();
  if (needs_client && install_options.client.empty() && uninstall_options.client.empty())
    return wrong("--client NAME is missing. NAME is one of " + registration::client_names() + ".");
  if (install->parsed()) return install_options;
  if (uninstall->parsed()) return uninstall_options;
  if (doctor->parsed()) {
    doctor_options.server = serve_options;
    return doctor_options;
  }
  return serve_options;
}

}  // namespace cowork_terminal::app
