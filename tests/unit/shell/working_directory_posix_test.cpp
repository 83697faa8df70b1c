#include <sys/stat.h>
#include <unistd.h>

#include <cowork_terminal/shell/home_directory.hpp>
#include <cowork_terminal/shell/working_directory.hpp>
#include <string>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::shell;

TEST_CASE("a link to a folder is a cwd of its own name, a link to nothing is missing", "[shell]") {
  const TemporaryFolder home;
  home.make_folder("real");
  home.make_link("link", home.path("real"));
  home.make_link("dangling", home.path("gone"));
  const auto linked = working_directory("link", home.path());
  REQUIRE(std::holds_alternative<WorkingDirectory>(linked));
  CHECK(std::get<WorkingDirectory>(linked).path == home.path("link"));
  CHECK(std::holds_alternative<RefusedDirectory>(working_directory("dangling", home.path())));
}

TEST_CASE("the same host folder reached by two names counts once", "[shell]") {
  const TemporaryFolder home;
  home.make_folder("Projects/site");
  home.make_link("Code", home.path("Projects"));
  const auto result = working_directory("/sessions/x/mnt/site", home.path());
  REQUIRE(std::holds_alternative<WorkingDirectory>(result));
  CHECK(std::get<WorkingDirectory>(result).path == home.path("Projects/site"));
}

TEST_CASE("names too long to exist are refused in words", "[shell][C-8]") {
  const auto result = working_directory("/" + std::string(300, 'x'), "/");
  REQUIRE(std::holds_alternative<RefusedDirectory>(result));
  CHECK(std::get<RefusedDirectory>(result).reason.find("does not exist") != std::string::npos);
}

TEST_CASE("the home directory of this system is a directory", "[shell][C-18a]") {
  const TemporaryFolder folder;
  process::Environment environment;
  struct stat status {};
  REQUIRE(::stat(home_directory(environment).path.c_str(), &status) == 0);
  CHECK(S_ISDIR(status.st_mode));
  environment.set("HOME", folder.path());
  CHECK(home_directory(environment).path == folder.path());
}
