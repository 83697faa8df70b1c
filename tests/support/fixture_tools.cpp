#include "support/fixture_tools.hpp"

#include <chrono>
#include <cowork_terminal/loop/event_loop.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace cowork_terminal::tests {

namespace {

using mcp::Answer;
using mcp::Question;
using mcp::ToolCall;
using mcp::ToolDefinition;
using mcp::ToolResult;
using nlohmann::json;
using Call = std::shared_ptr<ToolCall>;

class FixtureTool : public mcp::Tool {
 public:
  FixtureTool(ToolDefinition definition, std::function<void(Call)> body)
      : definition_(std::move(definition)), body_(std::move(body)) {}

  [[nodiscard]] const ToolDefinition& definition() const override { return definition_; }
  void call(Call call) override { body_(std::move(call)); }

 private:
  ToolDefinition definition_;
  std::function<void(Call)> body_;
};

json object_schema(json properties, json required = json::array()) {
  json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

ToolDefinition defined(std::string name, std::string description, json input = object_schema(json::object())) {
  ToolDefinition definition;
  definition.name = std::move(name);
  definition.description = std::move(description);
  definition.input_schema = std::move(input);
  return definition;
}

std::string told(const Answer& answer) {
  if (const auto* accepted = std::get_if<mcp::Accepted>(&answer))
    return "action=accept, content=" + accepted->content.dump();
  if (std::holds_alternative<mcp::Declined>(answer)) return "action=decline, content={}";
  return "action=cancel, content={}";
}

void refuse_unanswered(const Call& call, const Answer& answer) {
  const auto* unanswered = std::get_if<mcp::Unanswered>(&answer);
  call->finish(
      ToolResult::refusal(unanswered != nullptr ? "Nobody answered: " + unanswered->reason : "Denied by the user."));
}

// Asks; `accepted` gets the content, everything else refuses the call.
void ask_or_refuse(const Call& call, Question question, std::function<void(const json& content)> accepted) {
  call->ask(std::move(question), [call, accepted = std::move(accepted)](const Answer& answer) {
    if (const auto* yes = std::get_if<mcp::Accepted>(&answer)) return accepted(yes->content);
    refuse_unanswered(call, answer);
  });
}

Question name_question() {
  Question question{"user_name", "What is your name?", object_schema({{"name", {{"type", "string"}}}}, {"name"})};
  question.must_have_been_asked = false;  // an answer grants nothing here
  return question;
}

void greet(const Call& call) {
  ask_or_refuse(call, name_question(), [call](const json& content) {
    call->finish(ToolResult::plain("Hello, " + content.at("name").get<std::string>() + "!"));
  });
}

void confirm(const Call& call) {
  ask_or_refuse(
      call, {"confirm", "Please confirm", object_schema({{"ok", {{"type", "boolean"}}}}, {"ok"})},
      [call](const json& content) {
        call->finish(content.at("ok") == true ? ToolResult::plain("state-ok") : ToolResult::refusal("Not confirmed."));
      });
}

void two_rounds(const Call& call) {
  ask_or_refuse(
      call, {"step1", "Step 1: What is your name?", object_schema({{"name", {{"type", "string"}}}}, {"name"})},
      [call](const json& first) {
        const auto name = first.at("name").get<std::string>();
        ask_or_refuse(call,
                      {"step2", "Step 2: What is your favorite color?",
                       object_schema({{"color", {{"type", "string"}}}}, {"color"})},
                      [call, name](const json& second) {
                        call->finish(ToolResult::plain(name + " likes " + second.at("color").get<std::string>() + "."));
                      });
      });
}

void report_answer(const Call& call, Question question, const std::string& title) {
  call->ask(std::move(question), [call, title](const Answer& answer) {
    if (const auto* nobody = std::get_if<mcp::Unanswered>(&answer);
        nobody != nullptr && !call->client_has("elicitation"))
      return call->finish(ToolResult::refusal("The client cannot ask its user: " + nobody->reason));
    call->finish(ToolResult::plain(title + told(answer)));
  });
}

void ask_for_account(const Call& call) {
  const auto message = call->arguments().find("message");
  if (message == call->arguments().end() || !message->is_string())
    return call->finish(ToolResult::refusal("message is required and must be a string"));
  report_answer(call,
                {"account", message->get<std::string>(),
                 object_schema({{"username", {{"type", "string"}, {"description", "User's response"}}},
                                {"email", {{"type", "string"}, {"description", "User's email address"}}}},
                               {"username", "email"})},
                "User response: ");
}

void ask_with_defaults(const Call& call) {
  report_answer(
      call,
      {"defaults", "Please review the values",
       object_schema(
           {{"name", {{"type", "string"}, {"default", "John Doe"}}},
            {"age", {{"type", "integer"}, {"default", 30}}},
            {"score", {{"type", "number"}, {"default", 95.5}}},
            {"status", {{"type", "string"}, {"enum", {"active", "inactive", "pending"}}, {"default", "active"}}},
            {"verified", {{"type", "boolean"}, {"default", true}}}})},
      "Elicitation completed: ");
}

json titled(std::initializer_list<std::pair<const char*, const char*>> choices) {
  json list = json::array();
  for (const auto& [value, title] : choices) list.push_back({{"const", value}, {"title", title}});
  return list;
}

void ask_with_choices(const Call& call) {
  const json options{"option1", "option2", "option3"};
  const auto first_to_third =
      titled({{"value1", "First Option"}, {"value2", "Second Option"}, {"value3", "Third Option"}});
  json properties;
  properties["untitledSingle"] = {{"type", "string"}, {"enum", options}};
  properties["titledSingle"] = {{"type", "string"}, {"oneOf", first_to_third}};
  properties["legacyEnum"] = {{"type", "string"},
                              {"enum", {"opt1", "opt2", "opt3"}},
                              {"enumNames", {"Option One", "Option Two", "Option Three"}}};
  properties["untitledMulti"] = {{"type", "array"}, {"items", {{"type", "string"}, {"enum", options}}}};
  properties["titledMulti"] = {{"type", "array"}, {"items", {{"anyOf", first_to_third}}}};
  report_answer(call, {"choices", "Please choose", object_schema(std::move(properties))}, "Elicitation completed: ");
}

void need_sampling(const Call& call) {
  constexpr int missing_client_capability = -32021;
  if (!call->client_has("sampling"))
    return call->fail(missing_client_capability, "Missing required client capability",
                      {{"requiredCapabilities", {{"sampling", json::object()}}}});
  call->finish(ToolResult::plain("The client declared sampling."));
}

// Lives on in its own timer until it has reported 0, 50 and 100.
class ProgressReport : public std::enable_shared_from_this<ProgressReport> {
 public:
  ProgressReport(loop::EventLoop& loop, Call call) : loop_(loop), call_(std::move(call)) {
    call_->on_cancel([this] { cancelled_ = true; });
  }

  void next() {
    if (cancelled_) return timer_.cancel();
    if (percent_ > 100) return call_->finish(ToolResult::plain("All steps are done."));
    call_->progress(percent_, std::to_string(percent_) + " of 100");
    percent_ += 50;
    timer_ = loop_.after(std::chrono::milliseconds{50}, [self = shared_from_this()] { self->next(); });
  }

 private:
  loop::EventLoop& loop_;
  Call call_;
  loop::Timer timer_;
  int percent_ = 0;
  bool cancelled_ = false;
};

json schema_2020_12() {
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"type", "object"},
          {"$defs",
           {{"address",
             {{"$anchor", "addressDef"},
              {"type", "object"},
              {"properties", {{"street", {{"type", "string"}}}, {"city", {{"type", "string"}}}}}}}}},
          {"properties",
           {{"name", {{"type", "string"}}},
            {"address", {{"$ref", "#/$defs/address"}}},
            {"contactMethod", {{"type", "string"}, {"enum", {"phone", "email"}}}},
            {"phone", {{"type", "string"}}},
            {"email", {{"type", "string"}}}}},
          {"allOf", json::array({{{"anyOf", json::array({{{"required", {"phone"}}}, {{"required", {"email"}}}})}}})},
          {"if", {{"properties", {{"contactMethod", {{"const", "phone"}}}}}, {"required", {"contactMethod"}}}},
          {"then", {{"required", {"phone"}}}},
          {"else", {{"required", {"email"}}}},
          {"additionalProperties", false}};
}

}  // namespace

void add_fixture_tools(mcp::ToolRegistry& registry, loop::EventLoop& loop) {
  const auto add = [&](ToolDefinition definition, std::function<void(Call)> body) {
    registry.add(std::make_unique<FixtureTool>(std::move(definition), std::move(body)));
  };
  add(defined("test_simple_text", "Returns a text."),
      [](const Call& call) { call->finish(ToolResult::plain("This is a simple text response for testing.")); });
  add(defined("test_error_handling", "Always fails."), [](const Call& call) {
    call->finish(ToolResult::refusal("This tool intentionally returns an error for testing"));
  });
  add(defined("test_tool_with_progress", "Reports progress three times."),
      [&loop](const Call& call) { std::make_shared<ProgressReport>(loop, call)->next(); });
  add(defined("test_logging_tool", "Returns a text and logs nothing to the client."),
      [](const Call& call) { call->finish(ToolResult::plain("Nothing was logged to the client.")); });
  add(defined("test_missing_capability", "Needs the capability sampling."), need_sampling);
  add(defined("test_streaming_elicitation", "Asks for a name."), greet);
  add(defined("test_elicitation", "Asks for a user name and an address.",
              object_schema({{"message", {{"type", "string"}}}}, {"message"})),
      ask_for_account);
  add(defined("test_elicitation_sep1034_defaults", "Asks with a default for each type."), ask_with_defaults);
  add(defined("test_elicitation_sep1330_enums", "Asks with each kind of choice."), ask_with_choices);
  add(defined("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", schema_2020_12()),
      [](const Call& call) { call->finish(ToolResult::plain("ok")); });
  add(defined("test_input_required_result_elicitation", "Asks for a name."), greet);
  add(defined("test_input_required_result_request_state", "Asks for a confirmation."), confirm);
  add(defined("test_input_required_result_tampered_state", "Asks for a confirmation."), confirm);
  add(defined("test_input_required_result_multi_round", "Asks two questions, one after the other."), two_rounds);
  add(defined("test_input_required_result_capabilities", "Asks for a name."), greet);
}

}  // namespace cowork_terminal::tests
