#include <cowork_terminal/process/environment.hpp>

#include "support/catch.hpp"

using cowork_terminal::process::Environment;

TEST_CASE("a variable is set in place, or added at the end", "[process][C-18]") {
  Environment environment;
  environment.set("A", "1");
  environment.set("B", "2");
  environment.set("A", "3");
  const std::vector<Environment::Variable> expected{{"A", "3"}, {"B", "2"}};
  CHECK(environment.variables() == expected);
}

TEST_CASE("a removed variable is not there, an empty one is", "[process][C-18]") {
  Environment environment;
  environment.set("A", "");
  environment.set("B", "2");
  environment.remove("B");
  environment.remove("C");
  CHECK(environment.get("A") == std::string());
  CHECK_FALSE(environment.get("B"));
  CHECK(environment.variables().size() == 1);
}
