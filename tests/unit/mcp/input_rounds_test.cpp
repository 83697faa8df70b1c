#include "mcp/input_rounds.hpp"

#include <variant>

#include "recorded_client.hpp"
#include "support/catch.hpp"

namespace {

using namespace cowork_terminal::mcp;
using cowork_terminal::mcp::tests::Call;
using cowork_terminal::mcp::tests::error_code_of;
using cowork_terminal::mcp::tests::RecordedClient;
using nlohmann::json;

Question access_question(const std::string& message = "Allow?") {
  return {"access",
          message,
          {{"type", "object"},
           {"properties", {{"decision", {{"type", "string"}, {"enum", {"deny", "once"}}}}}},
           {"required", {"decision"}}}};
}

json accept(const std::string& decision) { return {{"action", "accept"}, {"content", {{"decision", decision}}}}; }

// A client of a tool that asks for access, and the executions that were granted.
struct Asking {
  explicit Asking(QuestionLimits limits = {}) : client(limits) {
    client.on_call = [this](const Call& call) {
      call->ask(question, [this, call](const Answer& answer) {
        if (const auto* accepted = std::get_if<Accepted>(&answer)) {
          ++executions;
          return call->finish(ToolResult::plain("did " + accepted->content["decision"].get<std::string>()));
        }
        call->finish(ToolResult::refusal(
            std::holds_alternative<Declined>(answer) ? "denied by the user" : std::get<Unanswered>(answer).reason));
      });
    };
  }

  json call(json params = json::object(), json capabilities = RecordedClient::forms()) {
    return client.modern_call(++last_id, std::move(params), std::move(capabilities));
  }
  // A request with this state and, unless null, these responses.
  json retry(const json& state, json responses, json params = json::object()) {
    params["requestState"] = state;
    if (!responses.is_null()) params["inputResponses"] = std::move(responses);
    return call(std::move(params));
  }
  json state() { return call()["result"]["requestState"]; }

  RecordedClient client;
  Question question = access_question();
  int executions = 0;
  int last_id = 0;
};

bool asks(const json& answer) { return answer["result"].value("resultType", "") == "input_required"; }
bool refuses(const json& answer) { return answer["result"].value("isError", false); }

}  // namespace

TEST_CASE("a question ends the request with what is to be answered", "[mcp][P67]") {
  Asking asking;
  const auto result = asking.call()["result"];
  CHECK(result["resultType"] == "input_required");
  CHECK(result["inputRequests"] ==
        json{{"access",
              {{"method", "elicitation/create"},
               {"params", {{"mode", "form"}, {"message", "Allow?"}, {"requestedSchema", asking.question.schema}}}}}});
  CHECK(result["requestState"].is_string());
  CHECK(result["_meta"].contains(meta_key::server_info));
  CHECK_FALSE(result.contains("content"));
  CHECK(asking.executions == 0);
  CHECK(asking.client.dispatcher.in_flight() == 0);
}

TEST_CASE("no request of ours is sent for modern traffic, whatever was negotiated before", "[mcp][P63]") {
  Asking asking;
  asking.client.handshake("2025-11-25", RecordedClient::forms());
  asking.retry(asking.state(), {{"access", accept("once")}});
  for (const auto& message : asking.client.sent) CHECK_FALSE(message.contains("method"));
}

TEST_CASE("an accepted retry runs", "[mcp][P68]") {
  Asking asking;
  const auto answer = asking.retry(asking.state(), {{"access", accept("once")}});
  CHECK(answer["result"]["resultType"] == "complete");
  CHECK(answer["result"]["content"][0]["text"] == "did once");
  CHECK(asking.executions == 1);
}

TEST_CASE("a declined or dismissed question runs nothing", "[mcp][P68]") {
  for (const char* action : {"decline", "cancel"}) {
    Asking asking;
    CHECK(refuses(asking.retry(asking.state(), {{"access", {{"action", action}}}})));
    CHECK(asking.executions == 0);
  }
}

TEST_CASE("an altered state is refused", "[mcp][P69]") {
  Asking asking;
  const auto state = asking.state().get<std::string>();
  for (const auto& wrong : {json(state + "-TAMPERED"), json("v1.e30.AAAA"), json(""), json(5), json::object()}) {
    const auto answer = asking.retry(wrong, {{"access", accept("once")}});
    CHECK(error_code_of(answer) == -32602);
  }
  CHECK(asking.retry("x", {{"access", accept("once")}})["error"]["message"].get<std::string>().find(
            "Invalid requestState") == 0);
  CHECK(asking.executions == 0);
}

TEST_CASE("the state of another process is refused", "[mcp][P69]") {
  Asking asking;
  Asking other;
  CHECK(error_code_of(asking.retry(other.state(), {{"access", accept("once")}})) == -32602);
}

TEST_CASE("a state is good for its arguments only", "[mcp][P69]") {
  Asking asking;
  CHECK(error_code_of(asking.retry(asking.state(), {{"access", accept("once")}},
                                   {{"arguments", {{"command", "rm"}}}})) == -32602);
  CHECK(asking.executions == 0);
}

TEST_CASE("an expired state is refused", "[mcp][P69]") {
  QuestionLimits limits;
  limits.retry_within = std::chrono::milliseconds{0};
  Asking asking(limits);
  CHECK(error_code_of(asking.retry(asking.state(), {{"access", accept("once")}})) == -32602);
  CHECK(asking.executions == 0);
}

TEST_CASE("missing and unusable answers are asked for again", "[mcp][P70]") {
  Asking asking;
  const auto state = asking.state();
  for (const auto& responses : {json(nullptr), json::object(), json{{"other", accept("once")}}, json{{"access", 12345}},
                                json{{"access", nullptr}}, json{{"access", {{"action", "accept"}}}},
                                json{{"access", accept("always")}}, json{{"access", {{"action", "yes"}}}}}) {
    CAPTURE(responses.dump());
    const auto answer = asking.retry(state, responses);
    CHECK(asks(answer));
    CHECK(answer["result"]["requestState"].is_string());
  }
  CHECK(asking.executions == 0);
  CHECK(asking.retry(state, {{"access", accept("once")}, {"extra", 5}})["result"]["resultType"] == "complete");
}

TEST_CASE("responses that are no object are an error", "[mcp][P70]") {
  Asking asking;
  for (const auto& responses : {json(5), json("x"), json::array()})
    CHECK(error_code_of(asking.call({{"inputResponses", responses}})) == -32602);
  CHECK(asks(asking.call({{"inputResponses", nullptr}})));
}

TEST_CASE("a granted state cannot be used again", "[mcp][P71]") {
  Asking asking;
  const auto state = asking.state();
  CHECK(asking.retry(state, {{"access", accept("once")}})["result"]["resultType"] == "complete");
  CHECK(error_code_of(asking.retry(state, {{"access", accept("once")}})) == -32602);
  CHECK(error_code_of(asking.retry(state, nullptr)) == -32602);
  CHECK(asking.executions == 1);
}

TEST_CASE("a question asked again does not make its grant worth two", "[mcp][P71]") {
  Asking asking;
  const auto first = asking.state();
  const auto second = asking.retry(first, json::object())["result"]["requestState"];
  CHECK(asking.retry(second, {{"access", accept("once")}})["result"]["resultType"] == "complete");
  CHECK(error_code_of(asking.retry(first, {{"access", accept("once")}})) == -32602);
  CHECK(asking.executions == 1);
}

TEST_CASE("two retries with one state at the same time run once", "[mcp][P71]") {
  Asking asking;
  const auto state = asking.state();
  // The tool thinks before it asks.
  std::vector<std::function<void()>> later;
  asking.client.on_call = [&, body = asking.client.on_call](const Call& call) {
    later.push_back([body, call] { body(call); });
  };
  asking.retry(state, {{"access", accept("once")}});
  asking.retry(state, {{"access", accept("once")}});
  REQUIRE(later.size() == 2);
  for (const auto& step : later) step();
  CHECK(asking.executions == 1);
  CHECK(asking.client.answer_to(2).contains("result"));
  CHECK(error_code_of(asking.client.answer_to(3)) == -32602);
}

TEST_CASE("an answer without a question grants nothing", "[mcp]") {
  Asking asking;
  CHECK(asks(asking.call({{"inputResponses", {{"access", accept("once")}}}})));
  CHECK(asking.executions == 0);
  asking.question.must_have_been_asked = false;
  CHECK(asking.call({{"inputResponses", {{"access", accept("once")}}}})["result"]["resultType"] == "complete");
}

TEST_CASE("an answer to one wording is none to another", "[mcp]") {
  Asking asking;
  const auto state = asking.state();
  asking.question = access_question("Allow something else?");
  CHECK(asks(asking.retry(state, {{"access", accept("once")}})));
  CHECK(asking.executions == 0);
}

TEST_CASE("a client without forms is not asked", "[mcp][P72][P59]") {
  Asking asking;
  for (const auto& capabilities :
       {json::object(), json{{"elicitation", {{"url", json::object()}}}}, json{{"sampling", json::object()}}}) {
    const auto answer = asking.call(json::object(), capabilities);
    CHECK(refuses(answer));
    CHECK_FALSE(answer["result"].contains("inputRequests"));
  }
  asking.question.indispensable = true;
  const auto answer = asking.call(json::object(), json::object());
  CHECK(error_code_of(answer) == -32021);
  CHECK(answer["error"]["data"] == json{{"requiredCapabilities", {{"elicitation", {{"form", json::object()}}}}}});
  CHECK(asks(asking.call(json::object(), {{"elicitation", json::object()}})));
  CHECK(asking.executions == 0);
}

TEST_CASE("the rounds of one call are counted", "[mcp]") {
  Asking asking;
  auto state = asking.state();
  for (int round = 2; round <= 8; ++round) {
    const auto answer = asking.retry(state, json::object());
    REQUIRE(asks(answer));
    state = answer["result"]["requestState"];
  }
  CHECK(refuses(asking.retry(state, json::object())));
  CHECK(asking.executions == 0);
}

TEST_CASE("a question too long to be shown is not asked", "[mcp]") {
  Asking asking;
  asking.question = access_question(std::string(100'000, 'x'));
  CHECK(refuses(asking.call()));
}

namespace {

Question text_question(const std::string& key) {
  return {key,
          "Which " + key + "?",
          {{"type", "object"}, {"properties", {{"v", {{"type", "string"}}}}}, {"required", {"v"}}}};
}

void ask_two(const Call& call) {
  call->ask(text_question("name"), [call](const Answer& name) {
    call->ask(text_question("color"), [call, name](const Answer& color) {
      call->finish(ToolResult::plain(std::get<Accepted>(name).content["v"].get<std::string>() + " " +
                                     std::get<Accepted>(color).content["v"].get<std::string>()));
    });
  });
}

json text(const std::string& value) { return {{"action", "accept"}, {"content", {{"v", value}}}}; }

}  // namespace

TEST_CASE("questions one after the other take a round each and keep the answers", "[mcp][P68]") {
  Asking asking;
  asking.client.on_call = ask_two;
  const auto first = asking.call()["result"];
  CHECK(first["inputRequests"].contains("name"));
  const auto second = asking.retry(first["requestState"], {{"name", text("Ada")}})["result"];
  REQUIRE(second["resultType"] == "input_required");
  CHECK(second["inputRequests"].contains("color"));
  CHECK_FALSE(second["inputRequests"].contains("name"));
  CHECK(second["requestState"] != first["requestState"]);
  // An answer to the first question again changes nothing.
  const auto third = asking.retry(second["requestState"], {{"color", text("red")}, {"name", text("Eve")}})["result"];
  CHECK(third["content"][0]["text"] == "Ada red");
  for (const auto& used : {first["requestState"], second["requestState"]})
    CHECK(error_code_of(asking.retry(used, {{"name", text("Ada")}, {"color", text("red")}})) == -32602);
}

TEST_CASE("a second question without its answer is asked again with the first answer kept", "[mcp][P70]") {
  Asking asking;
  asking.client.on_call = ask_two;
  const auto second = asking.retry(asking.state(), {{"name", text("Ada")}})["result"];
  const auto again = asking.retry(second["requestState"], json::object())["result"];
  REQUIRE(again["inputRequests"].contains("color"));
  CHECK(asking.retry(again["requestState"], {{"color", text("red")}})["result"]["content"][0]["text"] == "Ada red");
}
