#include "shell/home_search.hpp"

#include <cowork_terminal/process/environment.hpp>
#include <set>
#include <string>

#include "support/catch.hpp"
#include "unit/shell/environment_with.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::shell;

namespace {

IsDirectory one_of_folders(std::set<std::string> folders) {
  return [folders = std::move(folders)](const std::string& path) { return folders.count(path) != 0; };
}

const PasswdEntry ann{"/home/ann", "/bin/zsh"};

PasswdLookUp line(std::optional<PasswdEntry> entry) {
  return [entry = std::move(entry)] { return entry; };
}

}  // namespace

TEST_CASE("HOME is the home directory if it is the absolute path of a directory", "[shell][C-18a]") {
  const auto home =
      search_home_posix(environment_with({{"HOME", "/h"}}), line(ann), one_of_folders({"/h", "/home/ann"}));
  CHECK(home.path == "/h");
  CHECK(home.note.empty());
}

TEST_CASE("without a usable HOME the line of /etc/passwd counts", "[shell][C-18a]") {
  const auto exists = one_of_folders({"/home/ann", "relative", ""});
  for (const auto& environment : {environment_with({}), environment_with({{"HOME", ""}}),
                                  environment_with({{"HOME", "relative"}}), environment_with({{"HOME", "/gone"}})}) {
    const auto home = search_home_posix(environment, line(ann), exists);
    CHECK(home.path == "/home/ann");
    CHECK(home.note.empty());
  }
}

TEST_CASE("without any home the root stands for it, with a note", "[shell][C-18a]") {
  for (const auto& entry : {std::optional<PasswdEntry>{}, std::optional<PasswdEntry>{PasswdEntry{"/gone", ""}},
                            std::optional<PasswdEntry>{PasswdEntry{"home", ""}}}) {
    const auto home = search_home_posix(environment_with({}), line(entry), one_of_folders({"/", "home"}));
    CHECK(home.path == "/");
    CHECK(home.note.find("HOME") != std::string::npos);
  }
}

TEST_CASE("on Windows the home is USERPROFILE, else HOMEDRIVE and HOMEPATH, else HOME", "[shell][C-18a]") {
  const auto exists = one_of_folders({"C:\\Users\\a", "C:\\Users\\b", "C:\\Users\\c"});
  const auto all = environment_with(
      {{"USERPROFILE", "C:\\Users\\a"}, {"HOMEDRIVE", "C:"}, {"HOMEPATH", "\\Users\\b"}, {"HOME", "/c/Users/c"}});
  auto environment = all;
  CHECK(search_home_windows(environment, exists).path == "C:\\Users\\a");
  environment.set("USERPROFILE", "C:\\gone");
  CHECK(search_home_windows(environment, exists).path == "C:\\Users\\b");
  environment.remove("HOMEDRIVE");
  CHECK(search_home_windows(environment, exists).path == "C:\\Users\\c");
  environment.remove("HOME");
  const auto none = search_home_windows(environment, exists);
  CHECK(none.path == "C:\\");
  CHECK_FALSE(none.note.empty());
}
