#include <cowork_terminal/shell/login_environment.hpp>

#include "support/catch.hpp"
#include "unit/shell/environment_with.hpp"

using namespace cowork_terminal;
using shell::environment_with;
using shell::merge_login_environment;

TEST_CASE("the login shell's PATH is used, and nothing the server finds is lost", "[shell][K38]") {
  const auto path = [](const char* server, const char* login) {
    return merge_login_environment(environment_with({{"PATH", server}}), environment_with({{"PATH", login}}))
        .get("PATH")
        .value_or("none");
  };
  CHECK(path("/usr/bin:/bin", "/brew/bin:/usr/bin:/bin") == "/brew/bin:/usr/bin:/bin");
  CHECK(path("/usr/bin:/bin", "/bin:/usr/bin") == "/bin:/usr/bin");
  CHECK(path("/client/bin:/usr/bin", "/usr/bin") == "/usr/bin:/client/bin");
  CHECK(path("/usr/bin", "") == "/usr/bin");
  CHECK(merge_login_environment({}, environment_with({{"PATH", "/a"}})).get("PATH") == "/a");
}

TEST_CASE("variables that the server lacks are added, its own stay", "[shell]") {
  const auto merged =
      merge_login_environment(environment_with({{"LANG", "C"}, {"EMPTY", ""}}),
                              environment_with({{"LANG", "de"}, {"EMPTY", "x"}, {"JAVA_HOME", "/j"}, {"LC_ALL", "e"}}));
  CHECK(merged.get("LANG") == "C");
  CHECK(merged.get("EMPTY") == "");
  CHECK(merged.get("JAVA_HOME") == "/j");
  CHECK(merged.get("LC_ALL") == "e");
}

TEST_CASE("what belongs to the shell that was asked is not taken over", "[shell]") {
  const auto login = environment_with({{"SHLVL", "1"},
                                       {"PWD", "/"},
                                       {"OLDPWD", "/"},
                                       {"_", "/usr/bin/env"},
                                       {"TERM", "dumb"},
                                       {"DISABLE_AUTO_UPDATE", "true"},
                                       {"COWORK_TERMINAL_COMMAND", "7"}});
  CHECK(merge_login_environment({}, login).variables().empty());
}
