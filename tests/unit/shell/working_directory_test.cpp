#include <cowork_terminal/shell/working_directory.hpp>
#include <string>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::shell;

namespace {

std::string accepted(std::string_view cwd, const std::string& home) {
  const auto result = working_directory(cwd, home);
  const auto* directory = std::get_if<WorkingDirectory>(&result);
  return directory != nullptr ? directory->path : "refused: " + std::get<RefusedDirectory>(result).reason;
}

std::string refusal(std::string_view cwd, const std::string& home) {
  const auto result = working_directory(cwd, home);
  const auto* refused = std::get_if<RefusedDirectory>(&result);
  return refused != nullptr ? refused->reason : "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("no cwd, a tilde and relative paths lead from the home directory", "[shell][K45]") {
  const TemporaryFolder home;
  home.make_folder("a b/ñ 中文");
  CHECK(accepted("", home.path()) == home.path());
  CHECK(accepted("~", home.path()) == home.path());
  CHECK(accepted("~/a b", home.path()) == home.path("a b"));
  CHECK(accepted("a b/ñ 中文", home.path()) == home.path("a b/ñ 中文"));
  CHECK(accepted(home.path("a b"), "/nowhere") == home.path("a b"));
}

TEST_CASE("a missing cwd is named as it was written, and as what it is", "[shell][C-8][K40]") {
  const TemporaryFolder home;
  const std::string text = refusal("no/such dir", home.path());
  CHECK(has(text, "`cwd` does not exist: no/such dir"));
  CHECK(has(text, home.path()));
  CHECK_FALSE(has(text, "bash"));
  const std::string absolute = refusal(home.path("gone"), "/");
  CHECK(has(absolute, "`cwd` does not exist: " + home.path("gone")));
  CHECK_FALSE(has(absolute, "that is"));
}

TEST_CASE("a file given as cwd is not a directory", "[shell][C-8]") {
  const TemporaryFolder home;
  home.write("file", "x");
  CHECK(has(refusal("~/file", home.path()), "`cwd` is not a directory: ~/file"));
}

TEST_CASE("a path of Cowork's virtual machine is translated when one host folder is meant", "[shell]") {
  const TemporaryFolder home;
  home.make_folder("Projects/site/src");
  const auto result = working_directory("/sessions/brave-owl/mnt/site/src", home.path());
  REQUIRE(std::holds_alternative<WorkingDirectory>(result));
  const auto& directory = std::get<WorkingDirectory>(result);
  CHECK(directory.path == home.path("Projects/site/src"));
  CHECK(has(directory.note, "/sessions/brave-owl/mnt/site/src"));
  CHECK(has(directory.note, directory.path));
  CHECK(accepted("/sessions/x/mnt/site", home.path()) == home.path("Projects/site"));
}

TEST_CASE("a path of Cowork's virtual machine is refused when none or several are meant, or it goes up",
          "[shell][C-8]") {
  const TemporaryFolder home;
  home.make_folder("Projects/site");
  home.make_folder("Code/twice");
  home.make_folder("Documents/twice");
  CHECK(has(refusal("/sessions/x/mnt/none", home.path()), "no folder `none`"));
  CHECK(has(refusal("/sessions/x/mnt/twice", home.path()), home.path("Code/twice")));
  CHECK(has(refusal("/sessions/x/mnt/twice", home.path()), home.path("Documents/twice")));
  CHECK(has(refusal("/sessions/x/mnt/site/../twice", home.path()), "`..`"));
  CHECK(has(refusal("/sessions/x/mnt/site/..", home.path()), "`..`"));
  CHECK(has(refusal("/sessions/x/mnt/..", home.path()), "virtual machine"));
  CHECK(has(refusal("/sessions/x/tmp", home.path()), "virtual machine"));
  CHECK(has(refusal("/sessions/x/mnt/site/gone", home.path()), home.path("Projects/site/gone")));
}
