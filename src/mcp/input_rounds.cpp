#include "mcp/input_rounds.hpp"

#include <cowork_terminal/jsonrpc/message.hpp>
#include <utility>

#include "mcp/base64url.hpp"
#include "mcp/protocol.hpp"
#include "mcp/question_form.hpp"

namespace cowork_terminal::mcp {

namespace {

using jsonrpc::Error;
using jsonrpc::ErrorCode;
using nlohmann::json;

Error invalid_state() {
  return {
      ErrorCode::invalid_params,
      "Invalid requestState: not issued for this call by this process, expired, or used already. Make the call again "
      "without requestState and inputResponses."};
}

// An answer to one wording must not count for another.
std::string wording_digest(const Question& question) {
  const auto digest = sha256(jsonrpc::serialize(json::array({question.key, question.message, question.schema})));
  return to_base64url({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

const json* member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

InputRounds::InputRounds(RequestStates& states, int round_limit, const json& params, const std::string& tool,
                         const json& arguments)
    : states_(states), round_limit_(round_limit), tool_(tool), arguments_(arguments), responses_(json::object()) {
  if (const auto* responses = member(params, "inputResponses")) {
    if (!responses->is_object())
      throw Error{ErrorCode::invalid_params, "Invalid params: inputResponses must be an object"};
    responses_ = *responses;
  }
  if (const auto* text = member(params, "requestState")) {
    if (!text->is_string()) throw Error{ErrorCode::invalid_params, "Invalid params: requestState must be a string"};
    state_ = states_.open(text->get_ref<const std::string&>(), call());
    if (!state_) throw invalid_state();
  }
}

std::optional<Answer> InputRounds::answer_to(const Question& question) {
  if (auto earlier = earlier_answer(question)) {
    use_up_state();
    return earlier;
  }
  return new_answer(question);
}

std::optional<json> InputRounds::ask(const Question& question) {
  auto next = state_.value_or(RequestState{});
  if (next.round >= round_limit_) return std::nullopt;
  ++next.round;
  if (!state_ || used_up_) next.nonce = states_.fresh_nonce();
  next.asked = question.key;
  next.asked_digest = wording_digest(question);

  auto form = form_in(FormDialect::modern, question.schema);
  json request{
      {"method", method::elicitation_create},
      {"params", {{"mode", "form"}, {"message", question.message}, {"requestedSchema", std::move(form).value()}}}};
  json requests = json::object();
  requests[question.key] = std::move(request);
  return json{{"inputRequests", std::move(requests)}, {"requestState", states_.seal(next, call())}};
}

std::optional<Answer> InputRounds::earlier_answer(const Question& question) const {
  if (!state_) return std::nullopt;
  const auto stored = state_->answers.find(question.key);
  if (stored == state_->answers.end() || stored->at("question") != wording_digest(question)) return std::nullopt;
  return read_answer(stored->at("result"), question.schema);
}

std::optional<Answer> InputRounds::new_answer(const Question& question) {
  const auto response = responses_.find(question.key);
  if (response == responses_.end()) return std::nullopt;
  const bool was_asked = state_ && state_->asked == question.key && state_->asked_digest == wording_digest(question);
  if (!was_asked && question.must_have_been_asked) return std::nullopt;
  auto answer = read_answer(*response, question.schema);
  if (!answer) return std::nullopt;

  use_up_state();
  if (!state_) state_.emplace();
  json result{{"action", response->at("action")}};
  if (const auto* accepted = std::get_if<Accepted>(&*answer)) result["content"] = accepted->content;
  state_->answers[question.key] = {{"question", wording_digest(question)}, {"result", std::move(result)}};
  return answer;
}

void InputRounds::use_up_state() {
  if (used_up_) return;
  used_up_ = true;
  if (state_ && !states_.use_up(state_->nonce)) throw invalid_state();
}

const std::string& InputRounds::call() {
  if (call_.empty()) call_ = call_digest(method::tools_call, tool_, arguments_);
  return call_;
}

}  // namespace cowork_terminal::mcp
