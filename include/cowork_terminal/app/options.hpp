#pragma once

#include <cowork_terminal/app/log_level.hpp>
#include <cowork_terminal/shell/login_environment.hpp>
#include <cowork_terminal/tools/execute_arguments.hpp>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace cowork_terminal::app {

// Options that hold for the server and for `exec` alike (contract §7).
struct CommandOptions {
  std::string bash;  // empty: search
  std::size_t max_output = 1'048'576;
  LogLevel log_level = LogLevel::info;
};

struct ServeOptions {
  CommandOptions common;
  std::chrono::milliseconds max_wait{0};
  std::string audit_log;  // empty: the usual place
  bool no_audit_log = false;
  shell::LoginEnvironmentMode login_environment = shell::LoginEnvironmentMode::automatic;
};

struct ExecOptions {
  CommandOptions common;
  tools::ExecuteArguments arguments;
  bool json = false;
};

struct InstallOptions {
  std::string client;
  std::string name = "cowork-terminal";
  std::vector<std::string> arguments;  // of the server; empty: the usual ones of the client
  bool replace = false;
  bool dry_run = false;
  bool print = false;
};

struct UninstallOptions {
  std::string client;
  std::string name = "cowork-terminal";
  bool dry_run = false;
};

struct DoctorOptions {
  ServeOptions server;  // what the checked server is started with
  bool json = false;
};

// Nothing to run: --help, --version, or wrong use.
struct Leave {
  int exit_code;
  std::string standard_output;
  std::string standard_error;
};

using Invocation = std::variant<ServeOptions, ExecOptions, InstallOptions, UninstallOptions, DoctorOptions, Leave>;

// The command line as values; `arguments` without the program's name, UTF-8. Exit codes as contract §6.
Invocation parse_options(std::vector<std::string> arguments);

}  // namespace cowork_terminal::app
