#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/command_runner.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <cowork_terminal/shell/login_environment.hpp>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "shell/bash_system.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::shell;

namespace {

using namespace std::chrono_literals;

// A program started from a desktop menu: nothing in its environment but the least.
process::Environment desktop_environment(const std::string& home, const std::string& shell) {
  process::Environment environment;
  environment.set("HOME", home);
  environment.set("SHELL", shell);
  environment.set("PATH", "/usr/bin:/bin");
  return environment;
}

LoginShellReport ask(const TemporaryFolder& home, const std::string& shell, std::chrono::milliseconds limit = 5s) {
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  LoginShellReport report;
  ask_login_shell(
      loop, *runner, desktop_environment(home.path(), shell), home.path(),
      [&](LoginShellReport answer) {
        report = std::move(answer);
        loop.stop();
      },
      limit);
  loop.run();
  return report;
}

// Of each shell, the file that a person puts the PATH into, and the words to do so.
struct Shell {
  std::string path;
  std::string profile;
  std::string assignment;
  std::string leave;  // ends the shell if it is interactive
};

const std::vector<Shell> shells = {
    {"/bin/bash", ".bash_profile", "export PATH=\"$HOME/tools:$PATH\" FROM_PROFILE='a\nb'",
     "[[ $- == *i* ]] && exit 3"},
    {"/usr/bin/zsh", ".zshrc", "export PATH=\"$HOME/tools:$PATH\" FROM_PROFILE='a\nb'",
     "[[ -o interactive ]] && exit 3"},
    {"/usr/bin/fish", ".config/fish/config.fish", "set -gx PATH $HOME/tools $PATH; set -gx FROM_PROFILE a\\nb",
     "status is-interactive; and exit 3"},
    {"/usr/bin/dash", ".profile", "PATH=\"$HOME/tools:$PATH\"; FROM_PROFILE='a\nb'; export PATH FROM_PROFILE",
     "case $- in *i*) exit 3;; esac"},
};

bool is_there(const Shell& shell) {
  if (is_executable_file(shell.path)) return true;
  WARN("not tried, not installed: " + shell.path);
  return false;
}

}  // namespace

TEST_CASE("a login shell reports what only its profile sets, banners or not", "[shell][K38]") {
  for (const auto& shell : shells) {
    if (!is_there(shell)) continue;
    CAPTURE(shell.path);
    const TemporaryFolder home;
    home.write(shell.profile, "echo BANNER PATH=/banner\n" + shell.assignment + "\necho after; echo oops >&2\n");
    const auto report = ask(home, shell.path);
    CHECK(report.shell == shell.path);
    CAPTURE(report.failure);
    REQUIRE(report.environment);
    CHECK(report.environment->get("PATH").value_or("").starts_with(home.path("tools") + ":"));
    CHECK(report.environment->get("FROM_PROFILE") == "a\nb");
  }
}

TEST_CASE("a profile that leaves an interactive shell is passed by a plain login", "[shell]") {
  for (const auto& shell : shells) {
    if (!is_there(shell) || shell.profile == ".zshrc") continue;
    CAPTURE(shell.path);
    const TemporaryFolder home;
    home.write(shell.profile, shell.assignment + "\n" + shell.leave + "\n");
    const auto report = ask(home, shell.path);
    CAPTURE(report.failure);
    REQUIRE(report.environment);
    CHECK(report.environment->get("FROM_PROFILE") == "a\nb");
  }
}

TEST_CASE("a profile that always leaves is told as a failure", "[shell]") {
  const TemporaryFolder home;
  home.write(".bash_profile", "echo BANNER\nexit 7\n");
  const auto report = ask(home, "/bin/bash");
  CHECK_FALSE(report.environment);
  CHECK(report.failure.find("/bin/bash") != std::string::npos);
  CHECK(report.failure.find("exit code 7") != std::string::npos);
}

TEST_CASE("a profile that puts another shell in place of an interactive one is passed by a plain login", "[shell]") {
  const TemporaryFolder home;
  home.write(".bash_profile", "export FROM_PROFILE=1\n[[ $- == *i* ]] && exec /bin/sh -i\n");
  const auto report = ask(home, "/bin/bash");
  CAPTURE(report.failure);
  REQUIRE(report.environment);
  CHECK(report.environment->get("FROM_PROFILE") == "1");
}

TEST_CASE("a profile that reads, asks or opens the terminal does not wait for anybody", "[shell]") {
  const TemporaryFolder home;
  home.write(".bash_profile", "read -p 'Name? ' name\nread x </dev/tty\nexport FROM_PROFILE=1\n");
  const auto start = std::chrono::steady_clock::now();
  const auto report = ask(home, "/bin/bash");
  CHECK(report.environment);
  CHECK(std::chrono::steady_clock::now() - start < 4s);
}

TEST_CASE("a profile that hangs costs the limit and no more, and is gone afterwards", "[shell]") {
  const TemporaryFolder home;
  home.write(".bash_profile", "trap '' TERM HUP INT\necho $$ >\"$HOME/pid\"\nwhile :; do sleep 0.2; done\n");
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  const auto start = std::chrono::steady_clock::now();
  std::string failure;
  std::chrono::steady_clock::duration taken{};
  ask_login_shell(
      loop, *runner, desktop_environment(home.path(), "/bin/bash"), home.path(),
      [&](LoginShellReport report) {
        failure = report.failure;
        taken = std::chrono::steady_clock::now() - start;
      },
      1s);
  const pid_t unknown = 0;
  pid_t pid = unknown;
  std::function<void()> look = [&] {
    if (std::ifstream(home.path("pid")) >> pid && !failure.empty() && ::kill(pid, 0) != 0) return loop.stop();
    if (std::chrono::steady_clock::now() - start > 15s) return loop.stop();
    auto next = std::make_shared<loop::Timer>();
    *next = loop.after(50ms, [&look, next] { look(); });
  };
  look();
  loop.run();
  CHECK(failure.find("within 1000 ms") != std::string::npos);
  CHECK(taken >= 900ms);
  CHECK(taken < 2500ms);
  REQUIRE(pid != unknown);
  CHECK(::kill(pid, 0) != 0);
}

TEST_CASE("what hangs only after the report loses nothing", "[shell]") {
  const TemporaryFolder home;
  home.write(".bash_profile", "export FROM_PROFILE=1\ntrap 'sleep 30' EXIT\n");
  const auto report = ask(home, "/bin/bash", 1s);
  REQUIRE(report.environment);
  CHECK(report.environment->get("FROM_PROFILE") == "1");
}

TEST_CASE("the shell is asked once, and all that wait get its answer", "[shell][C-25]") {
  const TemporaryFolder home;
  home.write(".bash_profile", "echo asked >>\"$HOME/count\"\nexport FROM_PROFILE=1\n");
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  std::vector<std::string> log;
  LoginEnvironment login(loop, *runner, desktop_environment(home.path(), "/bin/bash"), home.path(),
                         [&](std::string_view line) { log.emplace_back(line); });
  CHECK_FALSE(std::ifstream(home.path("count")));
  int answers = 0;
  for (int i = 0; i < 3; ++i) {
    login.get([&](const process::Environment& environment) {
      CHECK(environment.get("FROM_PROFILE") == "1");
      CHECK_FALSE(environment.get("SHLVL"));
      if (++answers == 3) loop.stop();
    });
  }
  CHECK(answers == 0);
  loop.run();
  login.get([&](const process::Environment& environment) {
    CHECK(environment.get("FROM_PROFILE") == "1");
    ++answers;
  });
  CHECK(answers == 4);
  std::ifstream count(home.path("count"));
  CHECK(std::string{std::istreambuf_iterator<char>(count), {}} == "asked\n");
  CHECK(log.empty());
}

TEST_CASE("without an answer commands get the server's environment, and one line says so", "[shell]") {
  const TemporaryFolder home;
  home.write(".bash_profile", "exit 1\n");
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  std::vector<std::string> log;
  LoginEnvironment login(loop, *runner, desktop_environment(home.path(), "/bin/bash"), home.path(),
                         [&](std::string_view line) { log.emplace_back(line); });
  login.get([&](const process::Environment& environment) {
    CHECK(environment.get("PATH") == "/usr/bin:/bin");
    loop.stop();
  });
  loop.run();
  login.get([&](const process::Environment& environment) { CHECK(environment.get("PATH") == "/usr/bin:/bin"); });
  REQUIRE(log.size() == 1);
  CHECK(log[0].find("--login-env") != std::string::npos);
}

TEST_CASE("the shell is asked automatically only when no shell started the server", "[shell]") {
  process::Environment desktop;
  process::Environment terminal;
  terminal.set("SHLVL", "1");
  CHECK(wants_login_environment(LoginEnvironmentMode::automatic, desktop));
  CHECK_FALSE(wants_login_environment(LoginEnvironmentMode::automatic, terminal));
  CHECK(wants_login_environment(LoginEnvironmentMode::always, terminal));
  CHECK_FALSE(wants_login_environment(LoginEnvironmentMode::never, desktop));
}
