#include "tools/job_arguments.hpp"

#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "unit/tools/mentions.hpp"

using namespace cowork_terminal::tools;
using nlohmann::json;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds off{0};
constexpr milliseconds on{45'000};

std::string refused(const json& arguments, milliseconds max_wait) {
  const auto parsed = parse_call_arguments(arguments, max_wait);
  INFO(arguments.dump());
  REQUIRE(std::holds_alternative<Refusal>(parsed));
  return std::get<Refusal>(parsed).text;
}

StartCommand started(const json& arguments, milliseconds max_wait = on) {
  const auto parsed = parse_call_arguments(arguments, max_wait);
  REQUIRE(std::holds_alternative<StartCommand>(parsed));
  return std::get<StartCommand>(parsed);
}

FollowUp followed(const json& arguments) {
  const auto parsed = parse_call_arguments(arguments, on);
  REQUIRE(std::holds_alternative<FollowUp>(parsed));
  return std::get<FollowUp>(parsed);
}

}  // namespace

TEST_CASE("unknown arguments are named, with the parameters there are", "[tools][C-4][K108]") {
  const auto text = refused({{"command", "echo n"}, {"description", "say n"}, {"cwdd", "/"}}, off);
  CHECK(mentions(text, "`description`"));
  CHECK(mentions(text, "`cwdd`"));
  for (const auto* parameter : {"`command`", "`cwd`", "`timeout`", "`env`"}) CHECK(mentions(text, parameter));
  CHECK_FALSE(mentions(text, "`wait`"));
  CHECK(mentions(refused({{"command", "x"}, {"cwdd", "/"}}, on), "`wait`, `job`, `stop`"));
}

TEST_CASE("without the option there are no jobs", "[tools]") {
  CHECK(mentions(refused({{"job", "x"}}, off), "Unknown argument: `job`"));
  CHECK(mentions(refused({{"command", "x"}, {"wait", 1}}, off), "Unknown argument: `wait`"));
  CHECK_FALSE(started({{"command", "x"}}, off).wait);
}

TEST_CASE("exactly one of command and job is given", "[tools]") {
  CHECK(mentions(refused(json::object(), on), "either `command`"));
  CHECK(mentions(refused({{"job", nullptr}, {"command", nullptr}}, on), "either `command`"));
  for (const auto* beside : {"command", "cwd", "env"})
    CHECK(mentions(refused({{"job", "x"}, {beside, "y"}}, on), "`job` and `" + std::string(beside) + "` exclude"));
  CHECK(mentions(refused({{"job", "x"}, {"timeout", 5}}, on), "exclude"));
  CHECK(mentions(refused({{"job", 7}}, on), "`job` must be a string"));
  CHECK(mentions(refused({{"command", "x"}, {"stop", true}}, on), "`stop` needs `job`"));
  CHECK(mentions(refused({{"job", "x"}, {"stop", "yes"}}, on), "`stop` must be"));
  CHECK(followed({{"job", "x"}, {"command", nullptr}, {"stop", nullptr}}).job == "x");
}

TEST_CASE("the wait is at most the option's", "[tools]") {
  CHECK(started({{"command", "x"}}).wait == on);
  CHECK(started({{"command", "x"}, {"wait", 0}}).wait == milliseconds(0));
  CHECK(started({{"command", "x"}, {"wait", 1.5}}).wait == milliseconds(2));
  const auto lowered = started({{"command", "x"}, {"wait", 1e12}});
  CHECK(lowered.wait == on);
  CHECK(lowered.notes.size() == 1);
  for (const auto& bad : {json(-1), json("5"), json(true), json::array()})
    CHECK(mentions(refused({{"command", "x"}, {"wait", bad}}, on), "`wait`"));
  CHECK(followed({{"job", "x"}}).wait == on);
  CHECK(followed({{"job", "x"}, {"wait", 100}}).wait == milliseconds(100));
  CHECK_FALSE(followed({{"job", "x"}, {"stop", true}}).wait);
}
