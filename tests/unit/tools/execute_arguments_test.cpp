#include <cowork_terminal/tools/execute_arguments.hpp>
#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "unit/tools/mentions.hpp"

using namespace cowork_terminal::tools;
using nlohmann::json;
using std::chrono::milliseconds;

namespace {

ExecuteArguments accepted(const json& arguments) {
  const auto parsed = parse_execute_arguments(arguments);
  INFO(arguments.dump());
  REQUIRE(std::holds_alternative<ExecuteArguments>(parsed));
  return std::get<ExecuteArguments>(parsed);
}

std::string refused(const json& arguments) {
  const auto parsed = parse_execute_arguments(arguments);
  INFO(arguments.dump());
  REQUIRE(std::holds_alternative<Refusal>(parsed));
  return std::get<Refusal>(parsed).text;
}

milliseconds timeout_of(const json& value) {
  return accepted({{"command", "true"}, {"timeout", value}}).timeout->duration;
}

}  // namespace

TEST_CASE("a command alone is enough", "[tools][C-4]") {
  const auto parsed = accepted({{"command", "echo hi"}});
  CHECK(parsed.command == "echo hi");
  CHECK(parsed.working_directory.empty());
  CHECK_FALSE(parsed.timeout);
  CHECK(parsed.environment.empty());
}

TEST_CASE("null means not given, and so does an empty cwd", "[tools][C-5][K106]") {
  const auto parsed = accepted({{"command", "echo n"}, {"cwd", nullptr}, {"timeout", nullptr}, {"env", nullptr}});
  CHECK(parsed.working_directory.empty());
  CHECK_FALSE(parsed.timeout);
  CHECK(parsed.environment.empty());
  CHECK(accepted({{"command", "x"}, {"cwd", ""}}).working_directory.empty());
}

TEST_CASE("a command that is missing, blank or no string is refused by name", "[tools][C-8]") {
  CHECK(mentions(refused(json::object()), "`command` is missing"));
  CHECK(mentions(refused({{"command", nullptr}}), "`command` is missing"));
  CHECK(mentions(refused({{"command", ""}}), "blank"));
  CHECK(mentions(refused({{"command", " \t\n\u00a0\u3000"}}), "blank"));
  CHECK(mentions(refused({{"command", 7}}), "`command` must be a string"));
  CHECK(mentions(refused({{"command", json::array({"ls"})}}), "`command` must be a string"));
  CHECK(accepted({{"command", "\u00a0x"}}).command == "\u00a0x");
}

TEST_CASE("timeouts in numbers are rounded up and lowered to the largest there is", "[tools][C-4]") {
  CHECK(timeout_of(5000) == milliseconds(5000));
  CHECK(timeout_of(0.25) == milliseconds(1));
  CHECK(timeout_of(1.5) == milliseconds(2));
  CHECK(timeout_of(2147483647) == milliseconds(2147483647));
  CHECK(timeout_of(2147483646.5) == milliseconds(2147483647));
  CHECK(timeout_of(1e300) == milliseconds(2147483647));
  CHECK(accepted({{"command", "x"}, {"timeout", 2147483648}}).timeout->lowered);
  CHECK_FALSE(accepted({{"command", "x"}, {"timeout", 2147483647}}).timeout->lowered);
}

TEST_CASE("timeouts in digits are taken, anything else is refused naming timeout", "[tools][C-6][K103]") {
  CHECK(timeout_of("5000") == milliseconds(5000));
  CHECK(timeout_of("5000.0") == milliseconds(5000));
  CHECK(timeout_of("5000.5") == milliseconds(5001));
  CHECK(timeout_of("0.001") == milliseconds(1));
  CHECK(timeout_of(std::string(400, '9')) == milliseconds(2147483647));
  for (const auto& bad : {json(" 5000 "), json("5s"), json("0x10"), json("-5"), json("+5"), json("1e3"), json(""),
                          json("."), json("5."), json(".5"), json("0"), json("0.0"), json(true), json::array(),
                          json::object(), json(0), json(-1), json(-0.5), json(0.0)}) {
    CHECK(mentions(refused({{"command", "x"}, {"timeout", bad}}), "`timeout`"));
  }
}

TEST_CASE("environment values may be strings, numbers and booleans, and null removes", "[tools][C-6]") {
  const auto parsed =
      accepted({{"command", "x"},
                {"env", {{"A", "1"}, {"B", 2}, {"C", 1.5}, {"D", true}, {"E", nullptr}, {"F", ""}, {"G", 1.0}}}});
  const std::vector<std::pair<std::string, std::optional<std::string>>> expected{
      {"A", "1"}, {"B", "2"}, {"C", "1.5"}, {"D", "true"}, {"E", std::nullopt}, {"F", ""}, {"G", "1.0"}};
  CHECK(parsed.environment == expected);
}

TEST_CASE("env of the wrong shape is refused by name", "[tools][C-6]") {
  CHECK(mentions(refused({{"command", "x"}, {"env", "A=1"}}), "`env` must be an object"));
  CHECK(mentions(refused({{"command", "x"}, {"env", json::array()}}), "`env` must be an object"));
  CHECK(mentions(refused({{"command", "x"}, {"env", {{"A", json::array()}}}}), "`A`"));
  CHECK(mentions(refused({{"command", "x"}, {"env", {{"A", json::object()}}}}), "`A`"));
  CHECK(mentions(refused({{"command", "x"}, {"cwd", 1}}), "`cwd` must be a string"));
}

TEST_CASE("NUL, empty names and names with an equals sign are refused by name", "[tools][C-7]") {
  const std::string nul("a\0b", 3);
  CHECK(mentions(refused({{"command", nul}}), "`command` holds a NUL"));
  CHECK(mentions(refused({{"command", "x"}, {"cwd", nul}}), "`cwd` holds a NUL"));
  CHECK(mentions(refused({{"command", "x"}, {"env", {{"A", nul}}}}), "NUL"));
  CHECK(mentions(refused({{"command", "x"}, {"env", {{nul, "v"}}}}), "`env`"));
  CHECK(mentions(refused({{"command", "x"}, {"env", {{"", "v"}}}}), "empty name"));
  CHECK(mentions(refused({{"command", "x"}, {"env", {{"A=B", "v"}}}}), "`A=B`"));
}
