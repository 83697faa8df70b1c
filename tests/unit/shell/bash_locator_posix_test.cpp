#include <sys/stat.h>
#include <unistd.h>

#include <cowork_terminal/shell/bash_locator.hpp>
#include <string>

#include "shell/bash_system.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::shell;

TEST_CASE("a folder, a plain file and a dangling link are no bash, a link to one is", "[shell][C-14]") {
  const TemporaryFolder folder;
  folder.make_folder("folder");
  const std::string file = folder.write("file", "#!/bin/sh\n");
  folder.make_link("dangling", folder.path("missing"));
  CHECK_FALSE(is_executable_file(folder.path("folder")));
  CHECK_FALSE(is_executable_file(file));
  CHECK_FALSE(is_executable_file(folder.path("dangling")));
  CHECK_FALSE(is_executable_file(file + "/bash"));

  REQUIRE(::chmod(file.c_str(), 0755) == 0);
  folder.make_link("link", file);
  CHECK(is_executable_file(file));
  CHECK(is_executable_file(folder.path("link")));
  CHECK(bash_at(file)->path == file);
}

TEST_CASE("unreadable and missing folders in PATH do no harm", "[shell][C-14]") {
  const TemporaryFolder folder;
  folder.make_folder("locked");
  const std::string bash = folder.write("good/bash", "");
  REQUIRE(::chmod(bash.c_str(), 0755) == 0);
  REQUIRE(::chmod(folder.path("locked").c_str(), 0) == 0);
  const auto search = search_bash_posix(
      [&](std::string_view) {
        return folder.path("missing") + ":" + folder.path("locked") + ":/etc/passwd:" + folder.path("good");
      },
      is_executable_file);
  REQUIRE(search.found);
  CHECK(search.found->path == bash);
}
