#include <algorithm>
#include <cowork_terminal/shell/bash_locator.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::shell;

namespace {

using Variables = std::map<std::string, std::string, std::less<>>;
using Files = std::set<std::string>;

EnvironmentLookup lookup(Variables variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

FileExists one_of(Files files) {
  return [files = std::move(files)](const std::string& path) { return files.count(path) != 0; };
}

std::string posix_bash(const std::string& path, Files files) {
  const auto search = search_bash_posix(lookup({{"PATH", path}}), one_of(std::move(files)));
  return search.found ? search.found->path : "";
}

const std::vector<std::string> windows_order = {
    "C:\\Program Files\\Git\\bin\\bash.exe",
    "C:\\Program Files\\Git\\usr\\bin\\bash.exe",
    "C:\\Program Files (x86)\\Git\\bin\\bash.exe",
    "C:\\Program Files (x86)\\Git\\usr\\bin\\bash.exe",
    "C:\\Users\\ann\\AppData\\Local\\Programs\\Git\\bin\\bash.exe",
    "C:\\Users\\ann\\AppData\\Local\\Programs\\Git\\usr\\bin\\bash.exe",
};

const Variables windows_variables = {{"ProgramFiles", "C:\\Program Files"},
                                     {"ProgramFiles(x86)", "C:\\Program Files (x86)"},
                                     {"LOCALAPPDATA", "C:\\Users\\ann\\AppData\\Local"},
                                     {"PATH", "C:\\Windows\\System32;C:\\tools"}};

const Files decoys = {"C:\\Windows\\System32\\bash.exe",
                      "C:\\Windows\\SysWOW64\\bash.exe",
                      "C:\\Users\\ann\\AppData\\Local\\Microsoft\\WindowsApps\\bash.exe",
                      "C:\\tools\\bash.exe",
                      "C:\\cygwin64\\bin\\bash.exe",
                      "C:\\msys64\\usr\\bin\\bash.exe"};

}  // namespace

TEST_CASE("on POSIX the first bash in PATH is taken", "[shell][C-14]") {
  CHECK(posix_bash("/a:/b:/c", {"/b/bash", "/c/bash", "/bin/bash"}) == "/b/bash");
  CHECK(posix_bash("/c:/b", {"/b/bash", "/c/bash", "/bin/bash"}) == "/c/bash");
  CHECK(posix_bash("/b/", {"/b/bash"}) == "/b/bash");
  CHECK(posix_bash("/", {"/bash"}) == "/bash");
}

TEST_CASE("on POSIX relative and empty entries of PATH are passed over", "[shell][C-14]") {
  const Files files = {"bash", "./bash", "bin/bash", "/bash", "~/bin/bash", "/usr/bin/bash"};
  for (const char* path : {"", ":", ".:bin:..", "::", "~/bin", "bin:/usr/bin", ":/usr/bin:"}) {
    CAPTURE(path);
    CHECK(posix_bash(path, files) == "/usr/bin/bash");
  }
}

TEST_CASE("on POSIX a bash outside PATH is looked for in /bin, then /usr/bin", "[shell][C-14]") {
  CHECK(posix_bash("/opt", {"/bin/bash", "/usr/bin/bash"}) == "/bin/bash");
  CHECK(posix_bash("/opt", {"/usr/bin/bash"}) == "/usr/bin/bash");
  const auto search = search_bash_posix(lookup({}), one_of({}));
  CHECK_FALSE(search.found);
  CHECK(search.checked == std::vector<std::string>{"/bin/bash", "/usr/bin/bash"});
}

TEST_CASE("on POSIX every place is checked once, in order, up to the one found", "[shell][C-14]") {
  const auto search = search_bash_posix(lookup({{"PATH", "/x:/usr/bin:/x:y:/bin"}}), one_of({}));
  CHECK(search.checked == std::vector<std::string>{"/x/bash", "/usr/bin/bash", "/bin/bash"});
  const auto found = search_bash_posix(lookup({{"PATH", "/x:/y:/z"}}), one_of({"/y/bash"}));
  CHECK(found.checked == std::vector<std::string>{"/x/bash", "/y/bash"});
}

TEST_CASE("on Windows each place stands before all that follow it", "[shell][C-14]") {
  for (std::size_t first = 0; first < windows_order.size(); ++first) {
    Files files = decoys;
    files.insert(windows_order.begin() + static_cast<std::ptrdiff_t>(first), windows_order.end());
    const auto search = search_bash_windows(lookup(windows_variables), one_of(files));
    REQUIRE(search.found);
    CHECK(search.found->path == windows_order[first]);
    CHECK(search.checked.size() == first + 1);
  }
}

TEST_CASE("on Windows every subset of places gives the first of them", "[shell][C-14]") {
  for (unsigned subset = 1; subset < 64; ++subset) {
    Files files = decoys;
    for (std::size_t i = 0; i < windows_order.size(); ++i) {
      if ((subset >> i & 1U) != 0) files.insert(windows_order[i]);
    }
    std::size_t first = 0;
    while ((subset >> first & 1U) == 0) ++first;
    const auto search = search_bash_windows(lookup(windows_variables), one_of(files));
    REQUIRE(search.found);
    CHECK(search.found->path == windows_order[first]);
  }
}

TEST_CASE("on Windows the bash of WSL, of WindowsApps and of PATH is never even looked at", "[shell][C-14][K28]") {
  const auto search = search_bash_windows(lookup(windows_variables), one_of(decoys));
  CHECK_FALSE(search.found);
  CHECK(search.checked == windows_order);
}

TEST_CASE("on Windows missing variables have their usual values", "[shell][C-14]") {
  CHECK(search_bash_windows(lookup({{"USERPROFILE", "C:\\Users\\ann"}}), one_of({})).checked == windows_order);
  CHECK(search_bash_windows(lookup({{"USERNAME", "ann"}}), one_of({})).checked == windows_order);
  CHECK(search_bash_windows(lookup({{"USERNAME", "ann"}, {"ProgramFiles", ""}}), one_of({})).checked == windows_order);
  CHECK(search_bash_windows(lookup({}), one_of({})).checked.size() == 6);
}

TEST_CASE("on Windows a moved Program Files is followed, a relative one is not", "[shell][C-14]") {
  const auto moved = search_bash_windows(lookup({{"ProgramFiles", "D:/Programs/"}}), one_of({}));
  CHECK(moved.checked.at(0) == "D:\\Programs\\Git\\bin\\bash.exe");
  const auto relative = search_bash_windows(lookup({{"ProgramFiles", "Programs"}}), one_of({}));
  CHECK(relative.checked.at(0) == windows_order[0]);
}

TEST_CASE("on Windows a bash in usr\\bin brings its folder and mingw64\\bin, one in bin brings none", "[shell][C-14]") {
  for (std::size_t i = 0; i < windows_order.size(); ++i) {
    const auto search = search_bash_windows(lookup(windows_variables), one_of({windows_order[i]}));
    REQUIRE(search.found);
    if (i % 2 == 0) {
      CHECK(search.found->path_prefix.empty());
    } else {
      const std::string git = windows_order[i].substr(0, windows_order[i].find("\\usr\\bin"));
      CHECK(search.found->path_prefix == std::vector<std::string>{git + "\\usr\\bin", git + "\\mingw64\\bin"});
    }
  }
}

TEST_CASE("the search of this system finds an absolute bash", "[shell][C-14]") {
  const auto search = search_bash();
  REQUIRE_FALSE(search.checked.empty());
  if (search.found) {
    CHECK(search.found->path == search.checked.back());
    CHECK(bash_at(search.found->path)->path == search.found->path);
  }
}

TEST_CASE("--bash takes an absolute file only", "[shell][C-14]") {
  const TemporaryFolder folder;
  CHECK_FALSE(bash_at(""));
  CHECK_FALSE(bash_at("bash"));
  CHECK_FALSE(bash_at("./bash"));
  CHECK_FALSE(bash_at(folder.path()));
  CHECK_FALSE(bash_at(folder.path("missing")));
}

TEST_CASE("the message about a missing bash lists every path and says where to get one", "[shell][C-14]") {
  const std::string text = describe_missing_bash(windows_order);
  for (const auto& path : windows_order) CHECK(text.find(path) != std::string::npos);
  CHECK(text.find("--bash") != std::string::npos);
  const bool windows = text.find("https://git-scm.com/download/win") != std::string::npos;
  const bool posix = text.find("apt install bash") != std::string::npos && text.find("dnf") != std::string::npos &&
                     text.find("brew") != std::string::npos;
  CHECK(windows != posix);
}
