#include <cowork_terminal/process/environment.hpp>

#include "shell/bash_system.hpp"
#include "shell/login_shell.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal;

TEST_CASE("the login shell is SHELL if it is an absolute program", "[shell]") {
  process::Environment environment;
  environment.set("SHELL", "/bin/sh");
  CHECK(shell::login_shell(environment) == "/bin/sh");
}

TEST_CASE("a SHELL that is relative, missing or refuses logins gives way to one that is there", "[shell]") {
  for (const char* useless : {"", "bash", "/no/such/shell", "/usr/sbin/nologin", "/bin/false"}) {
    CAPTURE(useless);
    process::Environment environment;
    environment.set("SHELL", useless);
    const std::string found = shell::login_shell(environment);
    CHECK(found != useless);
    CHECK(shell::is_executable_file(found));
  }
}
