#include <cowork_terminal/tools/execute_result.hpp>

#include "support/catch.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::tools;
using nlohmann::json;

namespace {

constexpr std::size_t mebibyte = 1'048'576;
constexpr mcp::ResultRoom wide_room{8 * mebibyte, true};

process::CommandOutcome outcome(process::Ending ending, std::string out = {}, std::string err = {}) {
  process::CommandOutcome made;
  made.ending = std::move(ending);
  made.standard_output.total_bytes = out.size();
  made.standard_output.text = std::move(out);
  made.standard_error.total_bytes = err.size();
  made.standard_error.text = std::move(err);
  return made;
}

json result_of(process::CommandOutcome ended, std::size_t limit = mebibyte, const mcp::ResultRoom& room = wide_room) {
  return execute_result(std::move(ended), {}, limit, room);
}

}  // namespace

TEST_CASE("an exit is reported with its code and nothing that is not there", "[tools][C-10]") {
  CHECK(result_of(outcome(process::Exited{3}, "o\n", "e\n")) ==
        json{{"stdout", "o\n"}, {"stderr", "e\n"}, {"exitCode", 3}, {"timedOut", false}});
}

TEST_CASE("death by a signal is 128 + n with the signal's name", "[tools][K69]") {
  const auto result = result_of(outcome(process::Signaled{9}));
  CHECK(result.at("exitCode") == 137);
  CHECK(result.at("signal") == "SIGKILL");
  CHECK(result.at("timedOut") == false);
}

TEST_CASE("a timeout has no exit code", "[tools][K10]") {
  const auto result = result_of(outcome(process::TimedOut{}, "partial\n"));
  CHECK(result.at("exitCode").is_null());
  CHECK(result.at("timedOut") == true);
  CHECK(result.at("stdout") == "partial\n");
}

TEST_CASE("a truncated stream ends in its suffix on a line of its own", "[tools][C-11]") {
  auto cut = outcome(process::Exited{0}, std::string(mebibyte, 'a'), "line\n");
  cut.standard_output.truncated = true;
  cut.standard_error.truncated = true;
  const auto result = result_of(cut);
  CHECK(result.at("stdout") == std::string(mebibyte, 'a') + "\n[stdout truncated at 1MB]");
  CHECK(result.at("stderr") == "line\n[stderr truncated at 1MB]");
  CHECK(result.at("notes").size() == 2);
}

TEST_CASE("another cap is named in the suffix by the size kept", "[tools][C-12a]") {
  auto cut = outcome(process::Exited{0}, std::string(2'047, 'a'));
  cut.standard_output.truncated = true;
  CHECK(result_of(cut, 2'048).at("stdout") == std::string(2'047, 'a') + "\n[stdout truncated at 2047 bytes]");
}

TEST_CASE("a result that would not fit its line is cut further, the larger stream first", "[tools][C-13]") {
  const mcp::ResultRoom room{300'000, true};
  std::string control(100'000, '\x01');
  const auto result = result_of(outcome(process::Exited{0}, control, "short"), mebibyte, room);
  const auto& text = result.at("stdout").get_ref<const std::string&>();
  CHECK(result.at("stderr") == "short");
  CHECK(text.find("\n[stdout truncated at ") != std::string::npos);
  CHECK(room.cost(result.dump()) <= room.bytes * 2);
  CHECK(room.cost(text) + room.cost("short") <= room.bytes);
  // No more is cut than has to be: within the room set aside for everything else.
  CHECK(room.cost(text) > room.bytes - 5'000);
}

TEST_CASE("both streams are cut to the same cost when each alone is too large", "[tools][C-13]") {
  const mcp::ResultRoom room{200'000, true};
  const auto result =
      result_of(outcome(process::Exited{0}, std::string(100'000, '\x01'), std::string(90'000, '\x02')), mebibyte, room);
  const auto out = room.cost(result.at("stdout").get_ref<const std::string&>());
  const auto err = room.cost(result.at("stderr").get_ref<const std::string&>());
  CHECK(out + err <= room.bytes);
  CHECK((out > err ? out - err : err - out) < 64);
}

TEST_CASE("the cut for room never splits a character", "[tools][C-13][K13]") {
  std::string euros;
  for (int i = 0; i < 20'000; ++i) euros += "\u20ac";
  for (std::size_t bytes = 50'000; bytes < 50'008; ++bytes) {
    const auto result = result_of(outcome(process::Exited{0}, euros), mebibyte, {bytes, false});
    const auto& text = result.at("stdout").get_ref<const std::string&>();
    const auto end = text.find("\n[stdout truncated at ");
    REQUIRE(end != std::string::npos);
    CHECK(end % 3 == 0);
    CHECK(text.substr(0, end) == euros.substr(0, end));
  }
}
