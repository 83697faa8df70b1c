#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <cowork_terminal/shell/bash_locator.hpp>
#include <cowork_terminal/shell/bash_version.hpp>

#include "shell/version_text.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal;
using shell::find_bash_version;

TEST_CASE("the version stands in the first line of what bash says of itself", "[shell][C-14]") {
  CHECK(find_bash_version("GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\nCopyright\n") ==
        "5.2.15(1)-release");
  CHECK(find_bash_version("GNU bash, version 3.2.57(1)-release (arm64-apple-darwin23)\n") == "3.2.57(1)-release");
  CHECK(find_bash_version("GNU bash, version 5.2.37(1)-release\r\n") == "5.2.37(1)-release");
}

TEST_CASE("what is no bash has no version", "[shell]") {
  CHECK(find_bash_version("").empty());
  CHECK(find_bash_version("BusyBox version 1.35\n").empty());
  CHECK(find_bash_version("sh: --version: bad option\nGNU bash, version 5\n").empty());
}

TEST_CASE("bash is asked for its version, and what cannot be asked has none", "[shell][C-14]") {
  const auto search = shell::search_bash();
  if (!search.found) {
    WARN("not tried, there is no bash on this system");
    return;
  }
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  std::string version = "none yet";
  std::string missing = "none yet";
  shell::ask_bash_version(*runner, search.found->path, [&](std::string answer) {
    version = std::move(answer);
    shell::ask_bash_version(*runner, search.found->path + "-missing", [&](std::string nothing) {
      missing = std::move(nothing);
      loop.stop();
    });
  });
  CHECK(version == "none yet");
  loop.run();
  CHECK(version.find('.') != std::string::npos);
  CHECK(missing.empty());
}
