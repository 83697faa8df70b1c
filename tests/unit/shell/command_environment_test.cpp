#include <cowork_terminal/shell/command_environment.hpp>
#include <string>

#include "shell/windows_variables.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal;
using shell::command_environment;

TEST_CASE("commands see the server's variables, unchanged and in order", "[shell][C-18]") {
  process::Environment server;
  server.set("ANTHROPIC_API_KEY", "k");
  server.set("EMPTY", "");
  server.set("BASH_ENV", "/x");
  server.set("TERM", "dumb");
  const auto environment = command_environment(server, {});
  CHECK(environment.get("ANTHROPIC_API_KEY") == "k");
  CHECK(environment.get("EMPTY") == "");
  CHECK(environment.get("BASH_ENV") == "/x");
  CHECK(environment.get("TERM") == "dumb");
  CHECK(environment.variables().front().first == "ANTHROPIC_API_KEY");
}

TEST_CASE("what the client keeps for itself and what would change bash is taken out", "[shell][C-18]") {
  process::Environment server;
  for (const char* name : {"CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_MESSAGING_SOCKET", "SHELLOPTS", "BASHOPTS"}) {
    server.set(name, "x");
  }
  server.set("CLAUDECODE", "1");
  const auto environment = command_environment(server, {});
  for (const char* name : {"CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_MESSAGING_SOCKET", "SHELLOPTS", "BASHOPTS"}) {
    CAPTURE(name);
    CHECK_FALSE(environment.get(name));
  }
  CHECK(environment.get("CLAUDECODE") == "1");
}

TEST_CASE("git, gh and pagers are kept from asking, whatever the server's environment says",
          "[shell][C-18][K54][K56]") {
  process::Environment server;
  server.set("PAGER", "less");
  server.set("GIT_PAGER", "delta");
  server.set("GIT_TERMINAL_PROMPT", "1");
  const auto environment = command_environment(server, {});
  CHECK(environment.get("GIT_TERMINAL_PROMPT") == "0");
  CHECK(environment.get("GCM_INTERACTIVE") == "never");
  CHECK(environment.get("GH_PROMPT_DISABLED") == "1");
  CHECK(environment.get("GIT_PAGER") == "cat");
  CHECK(environment.get("PAGER") == "cat");
}

TEST_CASE("nothing is added on its own that rewrites arguments or sets a locale", "[shell][C-18][K32][K95]") {
  const auto environment = command_environment({}, {});
  CHECK_FALSE(environment.get("MSYS_NO_PATHCONV"));
  CHECK_FALSE(environment.get("LANG"));
  CHECK_FALSE(environment.get("LC_ALL"));
}

TEST_CASE("the folders of a usr\\bin bash come before PATH", "[shell][C-14]") {
  process::Environment server;
  CHECK(command_environment(server, {"C:\\g\\usr\\bin", "C:\\g\\mingw64\\bin"}).get("PATH") ==
        "C:\\g\\usr\\bin;C:\\g\\mingw64\\bin");
  server.set("PATH", "C:\\w;D:\\x");
  CHECK(command_environment(server, {"C:\\g\\usr\\bin", "C:\\g\\mingw64\\bin"}).get("PATH") ==
        "C:\\g\\usr\\bin;C:\\g\\mingw64\\bin;C:\\w;D:\\x");
  CHECK(command_environment(server, {}).get("PATH") == "C:\\w;D:\\x");
}

TEST_CASE("PATHEXT, SystemRoot and COMSPEC are repaired when missing or empty", "[shell][C-18]") {
  process::Environment environment;
  environment.set("PATHEXT", "");
  shell::repair_windows_variables(environment);
  CHECK(environment.get("SystemRoot") == "C:\\Windows");
  CHECK(environment.get("COMSPEC") == "C:\\Windows\\System32\\cmd.exe");
  CHECK(environment.get("PATHEXT")->starts_with(".COM;.EXE;"));
}

TEST_CASE("a Windows elsewhere is found by windir or SystemDrive, and what is there is kept", "[shell][C-18]") {
  process::Environment moved;
  moved.set("SystemDrive", "D:");
  shell::repair_windows_variables(moved);
  CHECK(moved.get("SystemRoot") == "D:\\Windows");

  process::Environment named;
  named.set("windir", "E:\\WinNT");
  named.set("PATHEXT", ".EXE");
  named.set("COMSPEC", "C:\\tools\\shell.exe");
  shell::repair_windows_variables(named);
  CHECK(named.get("SystemRoot") == "E:\\WinNT");
  CHECK(named.get("PATHEXT") == ".EXE");
  CHECK(named.get("COMSPEC") == "C:\\tools\\shell.exe");
}
