#include <cowork_terminal/shell/bash_invocation.hpp>
#include <string>

#include "shell/argument_limit.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::shell;

TEST_CASE("a command that fits one argument travels in it, after a --", "[shell][C-15]") {
  if (argument_limit() == 0) {
    CHECK(invoke_bash("C:\\bash.exe", "x").script == "x");
    return;
  }
  const auto invocation = invoke_bash("/bin/bash", "-n echo \"a\" #\n");
  CHECK(invocation.argv == std::vector<std::string>{"/bin/bash", "-c", "--", "-n echo \"a\" #\n"});
  CHECK_FALSE(invocation.script);
  CHECK_FALSE(invoke_bash("/bin/bash", std::string(argument_limit(), 'x')).script);
}

TEST_CASE("a command too long for one argument travels as a script, byte for byte", "[shell][C-15][K86]") {
  const std::string command(argument_limit() + 1, '\\');
  const auto invocation = invoke_bash("/bin/bash", command);
  CHECK(invocation.script == command);
  REQUIRE(invocation.argv.size() == 5);
  CHECK(invocation.argv[0] == "/bin/bash");
  CHECK(invocation.argv[4] == "/bin/bash");
}

TEST_CASE("what travels in the command line on Windows survives being parsed again", "[shell][C-15]") {
  const auto invocation = invoke_bash("C:\\Program Files\\Git\\bin\\bash.exe", std::string(200'000, 'x'));
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(invocation.argv[i].size() < 200);
    CHECK(invocation.argv[i].find_first_of("\\*?[]%^`\n") == std::string::npos);
  }
}
