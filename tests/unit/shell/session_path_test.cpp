#include "shell/session_path.hpp"

#include <map>
#include <string>

#include "support/catch.hpp"

using namespace cowork_terminal::shell;

TEST_CASE("a path of Cowork's virtual machine is taken apart", "[shell]") {
  const auto path = parse_session_path("/sessions/brave-owl/mnt/my project/src//lib/");
  REQUIRE(path);
  CHECK(path->folder == "my project");
  CHECK(path->rest == "src//lib");
  CHECK(parse_session_path("/sessions/a/mnt/f")->rest.empty());
  CHECK(parse_session_path("/sessions/a/mnt/f/")->folder == "f");
}

TEST_CASE("a path of the machine outside its host folders has no folder", "[shell]") {
  for (const char* path : {"/sessions/a", "/sessions/a/", "/sessions/a/mnt", "/sessions/a/mnt/", "/sessions/a/tmp/f",
                           "/sessions/a/mnt/..", "/sessions/a/mnt/../f", "/sessions/a/mnt/."}) {
    CAPTURE(path);
    REQUIRE(parse_session_path(path));
    CHECK(parse_session_path(path)->folder.empty());
  }
}

TEST_CASE("other paths are none of the machine", "[shell]") {
  for (const char* path :
       {"", "/", "/sessions", "/sessions/", "sessions/a/mnt/f", "/home/sessions/a/mnt/f", "~/sessions/a"}) {
    CAPTURE(path);
    CHECK_FALSE(parse_session_path(path));
  }
}

TEST_CASE("host folders are looked for in the home directory and the usual places, each real one once", "[shell]") {
  const std::map<std::string, std::string> folders = {{"/h/f", "/h/f"},
                                                      {"/h/Projects/f", "/h/Projects/f"},
                                                      {"/h/Code/f", "/h/Projects/f"},
                                                      {"/h/Elsewhere/f", "/h/Elsewhere/f"}};
  const auto canonical = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = folders.find(path);
    if (found == folders.end()) return std::nullopt;
    return found->second;
  };
  CHECK(host_folders("f", "/h", canonical) == std::vector<std::string>{"/h/f", "/h/Projects/f"});
  CHECK(host_folders("g", "/h", canonical).empty());
  std::string asked;
  host_folders("f", "/h", [&](const std::string& path) -> std::optional<std::string> {
    asked += path + " ";
    return std::nullopt;
  });
  CHECK(asked ==
        "/h/f /h/Development/f /h/Developer/f /h/Projects/f /h/Code/f /h/src/f /h/Desktop/f /h/Documents/f "
        "/h/Downloads/f ");
}
