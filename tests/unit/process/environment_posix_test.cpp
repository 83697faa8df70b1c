#include <cowork_terminal/process/environment.hpp>
#include <cstdlib>

#include "support/catch.hpp"

using cowork_terminal::process::Environment;

extern "C" char** environ;

TEST_CASE("the environment of this process is read as it is now, byte for byte", "[process][C-18][K34]") {
  ::setenv("COWORK_TEST_VARIABLE", "a=b\n\xFF ", 1);
  const Environment environment = Environment::current();
  CHECK(environment.get("COWORK_TEST_VARIABLE") == std::string("a=b\n\xFF "));
  CHECK(environment.get("PATH") == std::string(std::getenv("PATH")));
  ::unsetenv("COWORK_TEST_VARIABLE");
  CHECK_FALSE(Environment::current().get("COWORK_TEST_VARIABLE"));
}

TEST_CASE("names differ by case", "[process][C-18]") {
  Environment environment;
  environment.set("Path", "a");
  environment.set("PATH", "b");
  CHECK(environment.get("Path") == std::string("a"));
  CHECK(environment.variables().size() == 2);
}

TEST_CASE("entries without a name are passed over, and of two with one name the first counts", "[process][C-18]") {
  char odd[] = "=odd";
  char nameless[] = "nameless";
  char first[] = "TWICE=first";
  char second[] = "TWICE=second";
  char* entries[] = {odd, nameless, first, second, nullptr};
  char** const saved = environ;
  environ = entries;
  const Environment environment = Environment::current();
  environ = saved;
  const std::vector<Environment::Variable> expected{{"TWICE", "first"}};
  CHECK(environment.variables() == expected);
}
