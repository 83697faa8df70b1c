#include "mcp/open_call.hpp"

#include <cowork_terminal/jsonrpc/message.hpp>
#include <cowork_terminal/jsonrpc/serialize.hpp>

#include "recorded_client.hpp"
#include "support/catch.hpp"

namespace {

using namespace cowork_terminal::mcp;
namespace jsonrpc = cowork_terminal::jsonrpc;
using cowork_terminal::mcp::tests::Call;
using cowork_terminal::mcp::tests::error_code_of;
using cowork_terminal::mcp::tests::RecordedClient;
using nlohmann::json;

constexpr std::size_t eight_mebibytes = 8 * 1'024 * 1'024;

// A client whose call with the id 1 and this token is open.
struct WithOpenCall {
  explicit WithOpenCall(const std::string& revision, json token = nullptr) {
    client.on_call = [this](const Call& started) { call = started; };
    json params = json::object();
    if (!token.is_null()) params["_meta"]["progressToken"] = std::move(token);
    if (revision == "2026-07-28") {
      client.modern_call(1, std::move(params));
    } else {
      client.handshake(revision);
      client.call_probe(1, std::move(params));
    }
    before = client.sent.size();
  }

  RecordedClient client;
  Call call;
  std::size_t before = 0;
};

constexpr std::array all_revisions{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

}  // namespace

TEST_CASE("without a token there is no progress", "[mcp][P43][C-24]") {
  for (const char* revision : all_revisions) {
    WithOpenCall open(revision);
    CHECK_FALSE(open.call->wants_progress());
    open.call->progress(1, "x");
    CHECK(open.client.sent.size() == open.before);
  }
}

TEST_CASE("progress carries the token with its type, and a message where the revision has one",
          "[mcp][P44][P47][C-24]") {
  for (const char* revision : all_revisions)
    for (const auto& token : {json(0), json("a"), json(7), json("7")}) {
      CAPTURE(revision, token.dump());
      WithOpenCall open(revision, token);
      CHECK(open.call->wants_progress());
      open.call->progress(5, "running for 5 s");
      json params{{"progressToken", token}, {"progress", 5}};
      if (std::string(revision) != "2024-11-05") params["message"] = "running for 5 s";
      CHECK(open.client.sent.back().dump() ==
            json{{"jsonrpc", "2.0"}, {"method", "notifications/progress"}, {"params", params}}.dump());
    }
}

TEST_CASE("progress only goes up", "[mcp][P45]") {
  WithOpenCall open("2025-11-25", "t");
  for (const double value : {0.0, 0.0, 1.5, 1.0, -3.0, 2.0}) open.call->progress(value, "");
  std::vector<json> seen;
  for (const auto& message : open.client.sent_with_method("notifications/progress"))
    seen.push_back(message["params"]["progress"]);
  CHECK(seen == std::vector<json>{0, 1.5, 2});
}

TEST_CASE("there is no progress after the answer or a cancellation", "[mcp][P46][C-21]") {
  for (const bool cancelled : {false, true}) {
    WithOpenCall open("2025-11-25", "t");
    if (cancelled)
      open.client.cancel(1);
    else
      open.call->finish(ToolResult::plain("x"), {});
    const auto after = open.client.sent.size();
    open.call->progress(1, "late");
    CHECK(open.client.sent.size() == after);
  }
}

TEST_CASE("the first result wins", "[mcp]") {
  WithOpenCall open("2025-11-25");
  open.call->finish(ToolResult::plain("first"), {});
  open.call->finish(ToolResult::plain("second"), {});
  open.call->fail(-32603, "third", nullptr);
  REQUIRE(open.client.sent.size() == open.before + 1);
  CHECK(open.client.sent.back()["result"]["content"][0]["text"] == "first");
}

TEST_CASE("a tool hears whether its result was written", "[mcp]") {
  WithOpenCall open("2025-11-25");
  std::vector<bool> heard;
  open.call->finish(ToolResult::plain("first"), [&](bool written) { heard.push_back(written); });
  open.call->finish(ToolResult::plain("second"), [&](bool written) { heard.push_back(written); });
  CHECK(open.client.wait_until([&] { return heard.size() == 2; }));
  CHECK(heard == std::vector<bool>{true, false});
}

TEST_CASE("the result of a cancelled call is not written, and its tool hears so", "[mcp][C-21]") {
  WithOpenCall open("2025-11-25");
  open.client.cancel(1);
  std::vector<bool> heard;
  open.call->finish(ToolResult::plain("late"), [&](bool written) { heard.push_back(written); });
  CHECK(open.client.wait_until([&] { return heard.size() == 1; }));
  CHECK(heard == std::vector<bool>{false});
  CHECK(open.client.sent.size() == open.before);
}

TEST_CASE("every hook hears of a cancellation once, a late one at once", "[mcp][C-21]") {
  WithOpenCall open("2025-11-25");
  int hooks = 0;
  for (int i = 0; i < 3; ++i) open.call->on_cancel([&] { ++hooks; });
  open.client.cancel(1);
  CHECK(hooks == 3);
  open.client.cancel(1);
  CHECK(hooks == 3);
  open.call->on_cancel([&] { ++hooks; });
  CHECK(hooks == 4);
}

TEST_CASE("a hook does not hear of a call that has its result", "[mcp]") {
  WithOpenCall open("2025-11-25");
  int hooks = 0;
  open.call->on_cancel([&] { ++hooks; });
  open.call->finish(ToolResult::plain("x"), {});
  open.client.cancel(1);
  open.call->on_cancel([&] { ++hooks; });
  CHECK(hooks == 0);
}

TEST_CASE("a call that is let go is answered and logged", "[mcp][C-30]") {
  WithOpenCall open("2025-11-25");
  open.call.reset();
  CHECK(error_code_of(open.client.answer_to(1)) == -32603);
  REQUIRE_FALSE(open.client.log.empty());
  CHECK(open.client.log.back().find("probe") != std::string::npos);
}

TEST_CASE("a tool can end its call with an error of the method", "[mcp]") {
  WithOpenCall open("2026-07-28");
  open.call->fail(-32021, "Missing required client capability",
                  {{"requiredCapabilities", {{"sampling", json::object()}}}});
  CHECK(open.client.answer_to(1)["error"] ==
        json{{"code", -32021},
             {"message", "Missing required client capability"},
             {"data", {{"requiredCapabilities", {{"sampling", json::object()}}}}}});
}

TEST_CASE("a result that fills the room to the byte fits into the line", "[mcp][C-13]") {
  const std::string piece = "a\"\\\n\x01€";
  for (const char* revision : all_revisions) {
    CAPTURE(revision);
    WithOpenCall open(revision);
    const auto room = open.call->room();
    CHECK(room.structured_is_sent == (std::string(revision) >= "2025-06-18"));
    // {"stdout":""} once, and once with its four quotes escaped.
    std::size_t used = 13 + 4 + (room.structured_is_sent ? 13 : 0);
    std::string text;
    for (; used + room.cost(piece) <= room.bytes; used += room.cost(piece)) text += piece;
    for (; used + room.cost("x") <= room.bytes; used += room.cost("x")) text += 'x';
    open.call->finish(ToolResult::success({{"stdout", text}}), {});
    REQUIRE(open.client.answer_to(1).contains("result"));
    CHECK(open.client.lines.back().size() <= eight_mebibytes);
    CHECK(open.client.lines.back().size() > eight_mebibytes - 16);
  }
}

TEST_CASE("a result beyond the room is an internal error of that call", "[mcp][C-13][C-30]") {
  WithOpenCall open("2025-11-25");
  open.call->finish(ToolResult::success({{"stdout", std::string(eight_mebibytes / 2, 'x')}}), {});
  CHECK(error_code_of(open.client.answer_to(1)) == -32603);
  CHECK(open.client.request(2, "ping").contains("result"));
}

TEST_CASE("a refusal that quotes too much is cut", "[mcp][C-13]") {
  WithOpenCall open("2025-11-25");
  open.call->finish(ToolResult::refusal(std::string(eight_mebibytes, '\x01')), {});
  CHECK(open.client.answer_to(1)["result"]["isError"] == true);
  CHECK(open.client.lines.back().size() <= eight_mebibytes);
}
