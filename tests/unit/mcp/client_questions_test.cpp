#include "mcp/client_questions.hpp"

#include <variant>

#include "recorded_client.hpp"
#include "support/catch.hpp"

namespace {

using namespace cowork_terminal::mcp;
using cowork_terminal::mcp::tests::Call;
using cowork_terminal::mcp::tests::error_code_of;
using cowork_terminal::mcp::tests::RecordedClient;
using nlohmann::json;

const json schema{{"type", "object"},
                  {"properties", {{"decision", {{"type", "string"}, {"enum", {"deny", "once"}}, {"default", "deny"}}}}},
                  {"required", {"decision"}}};

std::string told(const Answer& answer) {
  if (const auto* accepted = std::get_if<Accepted>(&answer)) return "accepted " + accepted->content.dump();
  if (std::holds_alternative<Declined>(answer)) return "declined";
  return "unanswered: " + std::get<Unanswered>(answer).reason;
}

void ask_and_tell(const Call& call) {
  call->ask({"access", "Allow?", schema},
            [call](const Answer& answer) { call->finish(ToolResult::plain(told(answer))); });
}

// A client whose call with the id 1 has asked.
struct Asked {
  explicit Asked(const std::string& revision = "2025-11-25", QuestionLimits limits = {}, json params = json::object())
      : client(limits, ask_and_tell) {
    client.handshake(revision, {{"elicitation", json::object()}});
    client.call_probe(1, std::move(params));
  }

  [[nodiscard]] std::vector<json> questions() const { return client.sent_with_method("elicitation/create"); }
  [[nodiscard]] std::string text() const { return client.answer_to(1)["result"]["content"][0]["text"]; }
  // What the tool hears when this is the client's result.
  static std::string told_for(const json& result) {
    Asked asked;
    asked.client.respond("srv-1", result);
    return asked.text();
  }

  RecordedClient client;
};

bool begins(const std::string& text, const std::string& start) { return text.compare(0, start.size(), start) == 0; }

}  // namespace

TEST_CASE("a legacy client is asked by a request, worded for its revision", "[mcp][P73][P74]") {
  Asked latest;
  REQUIRE(latest.questions().size() == 1);
  CHECK(latest.questions()[0] == json{{"jsonrpc", "2.0"},
                                      {"id", "srv-1"},
                                      {"method", "elicitation/create"},
                                      {"params", {{"message", "Allow?"}, {"requestedSchema", schema}}}});
  Asked older("2025-06-18");
  REQUIRE(older.questions().size() == 1);
  const auto params = older.questions()[0]["params"];
  CHECK_FALSE(params.contains("mode"));
  CHECK_FALSE(params["requestedSchema"]["properties"]["decision"].contains("default"));
}

TEST_CASE("a client that cannot be asked is not, and the tool hears so", "[mcp][P73]") {
  for (const char* revision : {"2024-11-05", "2025-03-26"}) {
    Asked asked(revision);
    CHECK(asked.questions().empty());
    CHECK(begins(asked.text(), "unanswered"));
  }
  for (const auto& capabilities : {json::object(), json{{"elicitation", {{"url", json::object()}}}}}) {
    RecordedClient client({}, ask_and_tell);
    client.handshake("2025-11-25", capabilities);
    client.call_probe(1);
    CHECK(client.sent_with_method("elicitation/create").empty());
    CHECK(client.answer_to(1).contains("result"));
  }
}

TEST_CASE("a question without which nothing works is an error in the modern era only", "[mcp][P72]") {
  RecordedClient client;
  client.on_call = [](const Call& call) {
    call->ask({"access", "Allow?", schema, true},
              [call](const Answer& answer) { call->finish(ToolResult::plain(told(answer))); });
  };
  client.handshake("2025-11-25");
  CHECK(client.call_probe(1)["result"].contains("content"));
  CHECK(error_code_of(client.modern_call(2, json::object(), json::object())) == -32021);
}

TEST_CASE("each kind of answer ends the question rightly", "[mcp][P75]") {
  CHECK(Asked::told_for({{"action", "accept"}, {"content", {{"decision", "once"}}}}) ==
        R"(accepted {"decision":"once"})");
  CHECK(Asked::told_for({{"action", "decline"}}) == "declined");
  CHECK(begins(Asked::told_for({{"action", "cancel"}}), "unanswered"));
  CHECK(begins(Asked::told_for({{"action", "accept"}, {"content", {{"decision", "always"}}}}), "unanswered"));
  CHECK(begins(Asked::told_for({{"action", "accept"}}), "unanswered"));
  CHECK(begins(Asked::told_for({{"action", 5}}), "unanswered"));
  CHECK(begins(Asked::told_for("yes"), "unanswered"));
}

TEST_CASE("a client's error is no answer", "[mcp][P75]") {
  Asked asked;
  asked.client.send(
      {{"jsonrpc", "2.0"}, {"id", "srv-1"}, {"error", {{"code", -32601}, {"message", "Method not found"}}}});
  CHECK(asked.text() == "unanswered: the client could not ask: Method not found");
}

TEST_CASE("a question grows too old and is taken back", "[mcp][P75]") {
  QuestionLimits limits;
  limits.answer_wait = std::chrono::milliseconds{10};
  Asked asked("2025-11-25", limits);
  REQUIRE(asked.client.wait_until([&] { return !asked.client.answer_to(1).is_null(); }));
  CHECK(begins(asked.text(), "unanswered"));
  const auto taken_back = asked.client.sent_with_method("notifications/cancelled");
  REQUIRE(taken_back.size() == 1);
  CHECK(taken_back[0]["params"]["requestId"] == "srv-1");
}

TEST_CASE("a client that waits for its user hears that the call lives, and progress never falls back", "[mcp][P45]") {
  QuestionLimits limits;
  limits.progress_every = std::chrono::milliseconds{5};
  RecordedClient client(limits);
  Call open;
  client.on_call = [&](const Call& call) {
    open = call;
    call->progress(5, "before");
    call->ask({"access", "Allow?", schema}, [](const Answer&) {});
  };
  client.handshake("2025-11-25", RecordedClient::forms());
  client.call_probe(1, {{"_meta", {{"progressToken", "t"}}}});
  const auto reports = [&] { return client.sent_with_method("notifications/progress"); };
  REQUIRE(client.wait_until([&] { return reports().size() >= 3; }));
  client.respond("srv-1", {{"action", "decline"}});
  const auto while_waiting = reports().size();
  open->progress(5, "not above what was said before");
  open->progress(6, "after");
  open->finish(ToolResult::plain("x"));
  CHECK(reports().back()["params"]["message"] == "after");
  CHECK(reports().size() >= while_waiting + 1);
  double last = 0;
  for (const auto& report : reports()) {
    CHECK(report["params"]["progress"] > last);
    last = report["params"]["progress"];
  }
}

TEST_CASE("cancelling the call takes the question back and is not answered", "[mcp][P76][C-21]") {
  Asked asked;
  asked.client.cancel(1);
  const auto taken_back = asked.client.sent_with_method("notifications/cancelled");
  REQUIRE(taken_back.size() == 1);
  CHECK(taken_back[0]["params"]["requestId"] == "srv-1");
  asked.client.respond("srv-1", {{"action", "decline"}});
  CHECK(asked.client.answer_to(1).is_null());
}

TEST_CASE("a call that ends otherwise takes its question back", "[mcp]") {
  RecordedClient client;
  Call open;
  bool answered = false;
  client.on_call = [&](const Call& call) {
    open = call;
    call->ask({"access", "Allow?", schema}, [&](const Answer&) { answered = true; });
  };
  client.handshake("2025-11-25", RecordedClient::forms());
  client.call_probe(1);
  open->finish(ToolResult::plain("meanwhile"));
  CHECK(client.sent_with_method("notifications/cancelled").size() == 1);
  client.respond("srv-1", {{"action", "decline"}});
  CHECK_FALSE(answered);
}

TEST_CASE("an answered question is not taken back", "[mcp][P75]") {
  Asked asked;
  asked.client.respond("srv-1", {{"action", "decline"}});
  CHECK(asked.client.sent_with_method("notifications/cancelled").empty());
}

TEST_CASE("a request with the id of our question is another matter", "[mcp][P77]") {
  Asked asked;
  CHECK(asked.client.request("srv-1", "ping")["result"] == json::object());
  asked.client.cancel("srv-1");
  CHECK(asked.client.answer_to(1).is_null());
  asked.client.respond("srv-1", {{"action", "decline"}});
  CHECK(asked.text() == "declined");
}

TEST_CASE("late, doubled and unknown answers are ignored", "[mcp][P78]") {
  Asked asked;
  asked.client.respond("srv-2", {{"action", "decline"}});
  asked.client.respond(1, {{"action", "decline"}});
  CHECK(asked.client.answer_to(1).is_null());
  asked.client.respond("srv-1", {{"action", "decline"}});
  const auto before = asked.client.sent.size();
  asked.client.respond("srv-1", {{"action", "accept"}, {"content", {{"decision", "once"}}}});
  CHECK(asked.client.sent.size() == before);
  CHECK(asked.text() == "declined");
}

TEST_CASE("when no more can be read, open questions go unanswered and later ones too", "[mcp][C-26]") {
  Asked asked;
  asked.client.server->close();
  CHECK(asked.text() == "unanswered: the client has closed the connection");
  CHECK(asked.client.call_probe(2)["result"].contains("content"));
  CHECK(asked.questions().size() == 1);
}

TEST_CASE("64 questions may be open", "[mcp]") {
  RecordedClient client({}, ask_and_tell);
  client.handshake("2025-11-25", RecordedClient::forms());
  for (int id = 0; id < 64; ++id) CHECK(client.call_probe(id).is_null());
  CHECK(client.call_probe(64)["result"]["content"][0]["text"] == "unanswered: too many questions are open");
  client.respond("srv-1", {{"action", "decline"}});
  CHECK(client.call_probe(65).is_null());
}

TEST_CASE("what a tool throws when it hears the answer is an error of its call", "[mcp][C-30]") {
  RecordedClient client;
  client.on_call = [](const Call& call) {
    call->ask({"access", "Allow?", schema}, [call](const Answer&) { throw std::runtime_error("bug"); });
  };
  client.handshake("2025-11-25", RecordedClient::forms());
  client.call_probe(1);
  client.respond("srv-1", {{"action", "decline"}});
  CHECK(error_code_of(client.answer_to(1)) == -32603);
}

TEST_CASE("two questions of one call may be open at once", "[mcp]") {
  RecordedClient client;
  client.on_call = [](const Call& call) {
    const auto heard = std::make_shared<std::vector<std::string>>();
    for (const char* key : {"a", "b"})
      call->ask({key, key, schema}, [call, heard, key](const Answer& answer) {
        heard->push_back(key + (" " + told(answer)));
        if (heard->size() == 2) call->finish(ToolResult::plain((*heard)[0] + ", " + (*heard)[1]));
      });
  };
  client.handshake("2025-11-25", RecordedClient::forms());
  client.call_probe(1);
  client.respond("srv-2", {{"action", "decline"}});
  client.respond("srv-1", {{"action", "decline"}});
  CHECK(client.answer_to(1)["result"]["content"][0]["text"] == "b declined, a declined");
}
