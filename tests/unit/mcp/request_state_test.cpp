#include "mcp/request_state.hpp"

#include "support/catch.hpp"

namespace {

using namespace cowork_terminal::mcp;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A clock that stands until a test moves it.
struct StillClock {
  steady_clock::time_point now = steady_clock::time_point{std::chrono::hours{100}};
};

RequestStates states_on(StillClock& clock, milliseconds lifetime = std::chrono::minutes{10}) {
  return RequestStates{lifetime, [&clock] { return clock.now; }};
}

RequestState example(std::uint64_t nonce) {
  return {nonce, 3, "key", "digest", {{"first", {{"question", "d"}, {"result", {{"action", "decline"}}}}}}};
}

}  // namespace

TEST_CASE("a sealed state is opened again for the same call", "[mcp]") {
  StillClock clock;
  auto states = states_on(clock);
  const auto opened = states.open(states.seal(example(states.fresh_nonce()), "call"), "call");
  REQUIRE(opened.has_value());
  CHECK(opened->nonce == 1);
  CHECK(opened->round == 3);
  CHECK(opened->asked == "key");
  CHECK(opened->asked_digest == "digest");
  CHECK(opened->answers == example(1).answers);
}

TEST_CASE("a state with any byte changed, added or missing is refused", "[mcp][P69]") {
  StillClock clock;
  auto states = states_on(clock);
  const auto text = states.seal(example(states.fresh_nonce()), "call");
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto altered = text;
    altered[i] = altered[i] == 'A' ? 'B' : 'A';
    CAPTURE(i);
    CHECK_FALSE(states.open(altered, "call").has_value());
    CHECK_FALSE(states.open(text.substr(0, i), "call").has_value());
  }
  CHECK_FALSE(states.open(text + "A", "call").has_value());
  CHECK_FALSE(states.open(text + "-TAMPERED", "call").has_value());
  for (const char* rubbish : {"", ".", "v1", "v1.", "v1..", "v2.e30.AAAA", "....", "\xff"})
    CHECK_FALSE(states.open(rubbish, "call").has_value());
}

TEST_CASE("a state of another process is refused", "[mcp][P69]") {
  StillClock clock;
  auto states = states_on(clock);
  auto others = states_on(clock);
  CHECK_FALSE(states.open(others.seal(example(1), "call"), "call").has_value());
}

TEST_CASE("a state of another call is refused", "[mcp][P69]") {
  StillClock clock;
  auto states = states_on(clock);
  CHECK_FALSE(states.open(states.seal(example(1), "call"), "other").has_value());
  CHECK(call_digest("tools/call", "a", {{"x", 1}}) == call_digest("tools/call", "a", {{"x", 1}}));
  CHECK(call_digest("tools/call", "a", json::parse(R"({"x":1,"y":2})")) ==
        call_digest("tools/call", "a", json::parse(R"({"y":2,"x":1})")));
  CHECK(call_digest("tools/call", "a", {{"x", 1}}) != call_digest("tools/call", "a", {{"x", 2}}));
  CHECK(call_digest("tools/call", "a", {{"x", 1}}) != call_digest("tools/call", "b", {{"x", 1}}));
  CHECK(call_digest("tools/call", "a", {{"x", 1}}) != call_digest("other", "a", {{"x", 1}}));
}

TEST_CASE("a state expires", "[mcp][P69]") {
  StillClock clock;
  auto states = states_on(clock, milliseconds{1'000});
  const auto text = states.seal(example(1), "call");
  clock.now += milliseconds{999};
  CHECK(states.open(text, "call").has_value());
  clock.now += milliseconds{1};
  CHECK_FALSE(states.open(text, "call").has_value());
}

TEST_CASE("a state that was used up is refused for good", "[mcp][P71]") {
  StillClock clock;
  auto states = states_on(clock);
  const auto nonce = states.fresh_nonce();
  const auto text = states.seal(example(nonce), "call");
  CHECK(states.open(text, "call").has_value());
  CHECK(states.use_up(nonce));
  CHECK_FALSE(states.use_up(nonce));
  CHECK_FALSE(states.open(text, "call").has_value());
}

TEST_CASE("a state stays used up however many come after it", "[mcp][P71]") {
  StillClock clock;
  auto states = states_on(clock);
  const auto first = states.fresh_nonce();
  const auto skipped = states.fresh_nonce();
  REQUIRE(states.use_up(first));
  for (int i = 0; i < 10'000; ++i) REQUIRE(states.use_up(states.fresh_nonce()));
  CHECK_FALSE(states.use_up(first));
  // Too old to be known: refused rather than trusted.
  CHECK_FALSE(states.use_up(skipped));
  CHECK(states.use_up(states.fresh_nonce()));
}
