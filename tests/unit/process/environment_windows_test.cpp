#include <windows.h>

#include <cowork_terminal/process/environment.hpp>

#include "process/environment_block_windows.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace std::string_literals;

TEST_CASE("names compare without case and the first spelling stays", "[process][C-18][K35]") {
  Environment environment;
  environment.set("Path", "A");
  environment.set("PATH", "B");
  REQUIRE(environment.variables().size() == 1);
  CHECK(environment.variables().front() == Environment::Variable{"Path", "B"});
  CHECK(environment.get("path") == "B");
  environment.set("GR\xC3\x96SSE", "1");
  CHECK(environment.get("gr\xC3\xB6sse") == "1");
  environment.remove("pAtH");
  CHECK_FALSE(environment.get("Path"));
}

TEST_CASE("the environment of this process is read as UTF-8 without the hidden folders of the drives", "[process]") {
  ::SetEnvironmentVariableW(L"COWORK_TEST_\u00E9", L"\u65E5\u672C");
  ::SetEnvironmentVariableW(L"=C:", L"C:\\somewhere");
  const auto environment = Environment::current();
  CHECK(environment.get("cowork_test_\xC3\x89") == "\xE6\x97\xA5\xE6\x9C\xAC");
  for (const auto& [name, value] : environment.variables()) CHECK(name.find('=') == std::string::npos);
  ::SetEnvironmentVariableW(L"COWORK_TEST_\u00E9", nullptr);
}

TEST_CASE("an environment block is sorted without case and ends in two NULs", "[process]") {
  Environment environment;
  environment.set("b", "2");
  environment.set("_", "3");
  environment.set("A", "=1");
  CHECK(environment_block(environment) == L"A==1\0b=2\0_=3\0\0"s);
  CHECK(environment_block({}) == L"\0\0"s);
}
