#include <cowork_terminal/app/auditing.hpp>
#include <cowork_terminal/app/doctor.hpp>
#include <cowork_terminal/app/install_command.hpp>
#include <cowork_terminal/app/own_path.hpp>
#include <cowork_terminal/app/program_search.hpp>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <cowork_terminal/shell/bash_locator.hpp>
#include <cowork_terminal/shell/bash_version.hpp>
#include <cowork_terminal/shell/command_environment.hpp>
#include <cowork_terminal/shell/home_directory.hpp>
#include <cowork_terminal/shell/login_environment.hpp>
#include <cowork_terminal/version.hpp>
#include <cstdio>
#include <optional>

#include "app/doctor_check.hpp"
#include "app/doctor_clients.hpp"
#include "app/doctor_self_test.hpp"

namespace cowork_terminal::app {

namespace {

using process::Environment;

std::string version_of(const std::string& bash) {
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  std::string found;
  shell::ask_bash_version(*runner, bash, [&](const std::string& version) {
    found = version;
    loop.stop();
  });
  loop.run();
  return found;
}

shell::LoginShellReport ask_login_shell(const Environment& environment, const std::string& home) {
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  shell::LoginShellReport found;
  shell::ask_login_shell(loop, *runner, environment, home, [&](shell::LoginShellReport report) {
    found = std::move(report);
    loop.stop();
  });
  loop.run();
  return found;
}

Check check_bash(const std::string& option, std::optional<shell::BashLocation>& bash) {
  if (!option.empty()) {
    bash = shell::bash_at(option);
    if (!bash)
      return {"bash", Verdict::broken, "--bash " + option + " is no executable file",
              "Give the absolute path of bash."};
  } else {
    const auto search = shell::search_bash();
    bash = search.found;
    if (!bash) return {"bash", Verdict::broken, "not found", shell::describe_missing_bash(search.checked)};
  }
  const auto bash_version = version_of(bash->path);
  if (bash_version.empty())
    return {"bash", Verdict::broken, bash->path + " does not tell its version",
            "Start it by hand: is it a working bash?"};
  return {"bash", Verdict::good, bash->path + ", version " + bash_version, ""};
}

Check check_git(const Environment& commands) {
  if (const auto git = find_program(commands, "git")) return {"git", Verdict::good, *git, ""};
  return {"git", Verdict::remark, "not in the PATH of commands",
          "Install git if commands are to use it, or see PATH below."};
}

Check check_path(const Environment& server, const Environment& commands, const std::string& home,
                 shell::LoginEnvironmentMode mode) {
  const auto path = commands.get("PATH").value_or("");
  const auto report = ask_login_shell(server, home);
  if (report.shell.empty()) return {"PATH", Verdict::good, path, ""};
  if (!report.environment) {
    return {
        "PATH", Verdict::remark, path + "\n" + report.failure,
        "Commands get this PATH. Mend the profile of that shell, or give --login-env never so that it is not asked."};
  }
  const auto merged = shell::merge_login_environment(server, *report.environment).get("PATH").value_or("");
  if (merged == server.get("PATH").value_or(""))
    return {"PATH", Verdict::good, path + "\nthe same as that of your login shell, " + report.shell, ""};
  if (mode == shell::LoginEnvironmentMode::always)
    return {"PATH", Verdict::good, merged + "\ntaken over from your login shell, " + report.shell, ""};
  return {
      "PATH", Verdict::remark, path + "\nyour login shell, " + report.shell + ", has more: " + merged,
      "Started from a desktop the server takes over the PATH of the login shell by itself (--login-env auto); started "
      "from a shell, --login-env always does."};
}

Check check_home(const shell::HomeDirectory& home) {
  if (home.note.empty()) return {"home directory", Verdict::good, home.path, ""};
  return {"home directory", Verdict::remark, home.path, home.note};
}

Check check_log(const ServeOptions& options) {
  const auto log = audit_log(options);
  if (!log)
    return {"log of commands", Verdict::remark, "none is kept",
            "To have one, leave --no-audit-log out of the options."};
  if (const auto problem = log->problem()) {
    return {"log of commands", Verdict::broken, log->file() + ": " + *problem,
            "Make the place writable for you, or start the server with --audit-log FILE or --no-audit-log."};
  }
  return {"log of commands", Verdict::good, log->file(), ""};
}

std::vector<Check> all_checks(const DoctorOptions& options) {
  const auto executable = own_path();
  const auto server = Environment::current();
  const auto home = shell::home_directory(server);
  std::vector<Check> checks{{"program", Verdict::good, std::string("version ") + version + ", " + executable, ""}};
  std::optional<shell::BashLocation> bash;
  checks.push_back(check_bash(options.server.common.bash, bash));
  const auto commands = shell::command_environment(server, bash ? bash->path_prefix : std::vector<std::string>{});
  checks.push_back(check_git(commands));
  checks.push_back(check_path(server, commands, home.path, options.server.login_environment));
  checks.push_back(check_home(home));
  checks.push_back(check_log(options.server));
  for (auto& check : check_clients(executable, registration_surroundings())) checks.push_back(std::move(check));
  if (bash) checks.push_back(check_server(executable, bash->path));
  return checks;
}

}  // namespace

int run_doctor(const DoctorOptions& options) {
  const auto checks = all_checks(options);
  const auto text = options.json ? as_json(checks) : as_text(checks);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return anything_broken(checks) ? 1 : 0;
}

}  // namespace cowork_terminal::app
