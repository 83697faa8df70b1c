#include "mcp/open_call.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>
#include <utility>

#include "mcp/protocol.hpp"
#include "mcp/question_form.hpp"
#include "mcp/result_shape.hpp"

namespace cowork_terminal::mcp {

namespace {

using nlohmann::json;

constexpr std::size_t longest_question = 64 * 1'024;

json form_capability() { return {{"elicitation", {{"form", json::object()}}}}; }

json as_json_number(double value) {
  constexpr double exact = 9007199254740992.0;
  if (value == std::floor(value) && std::abs(value) <= exact) return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace

std::shared_ptr<OpenCall> OpenCall::open(std::shared_ptr<CallSurroundings> surroundings, RequestContext context,
                                         json params, jsonrpc::ReplyOnce& reply) {
  const std::shared_ptr<OpenCall> call(new OpenCall(std::move(surroundings), std::move(context), std::move(params)));
  call->reply_.emplace(std::move(reply));
  call->reply_->on_cancel([weak = call->weak_from_this()] {
    if (const auto self = weak.lock()) self->cancelled();
  });
  return call;
}

OpenCall::OpenCall(std::shared_ptr<CallSurroundings> surroundings, RequestContext context, json params)
    : surroundings_(std::move(surroundings)),
      context_(std::move(context)),
      tool_name_(params.at("name").get<std::string>()),
      arguments_(json::object()) {
  if (auto given = params.find("arguments"); given != params.end() && given->is_object())
    arguments_ = std::move(*given);
  if (context_.era == Era::modern)
    rounds_.emplace(surroundings_->states, surroundings_->limits.rounds, params, tool_name_, arguments_);
}

OpenCall::~OpenCall() {
  for (const auto& question : questions_) surroundings_->questions.withdraw(question, "the call has ended");
  if (reply_ && reply_->pending()) surroundings_->log("the tool " + tool_name_ + " has let a call go without a result");
}

void OpenCall::run(Tool& tool) {
  guarded([&] { tool.call(shared_from_this()); });
}

ResultRoom OpenCall::room() const {
  const bool structured = context_.revision->structured_content;
  json envelope = call_tool_result(ToolResult::plain(""), *context_.revision, jsonrpc::max_answer_size);
  if (structured) envelope["structuredContent"] = nullptr;
  if (context_.era == Era::modern) envelope = modern_result(std::move(envelope), surroundings_->identity);
  constexpr std::size_t batch_punctuation = 2;
  const auto taken =
      jsonrpc::serialize(jsonrpc::make_result(reply_->id(), std::move(envelope))).size() + batch_punctuation;
  const auto line = jsonrpc::max_answer_size / std::max<std::size_t>(1, reply_->line_sharers());
  return {line - std::min(line, taken), structured};
}

void OpenCall::progress(double progress, std::string_view message) {
  send_progress(progress + progress_while_waiting_, message);
}

void OpenCall::on_cancel(std::function<void()> hook) {
  if (reply_->pending()) return cancel_hooks_.push_back(std::move(hook));
  if (was_cancelled_) hook();
}

void OpenCall::finish(ToolResult result, std::function<void(bool written)> delivered) {
  if (!reply_->pending()) {
    if (delivered) surroundings_->loop.post([delivered = std::move(delivered)] { delivered(false); });
    return;
  }
  guarded([&] {
    auto members = call_tool_result(std::move(result), *context_.revision, room().bytes);
    if (context_.era == Era::modern) members = modern_result(std::move(members), surroundings_->identity);
    reply_->result(std::move(members), std::move(delivered));
  });
  end();
}

void OpenCall::fail(int code, std::string message, json data) {
  reply_->error({code, std::move(message), std::move(data)});
  end();
}

void OpenCall::ask(Question question, std::function<void(Answer)> answered) {
  if (!reply_->pending()) return;
  guarded([&] {
    if (rounds_)
      if (auto answer = rounds_->answer_to(question)) return answered(std::move(*answer));
    if (!context_.client_shows_forms()) {
      if (question.indispensable && context_.era == Era::modern)
        throw jsonrpc::Error{error_code::missing_client_capability,
                             "Missing required client capability",
                             {{"requiredCapabilities", form_capability()}}};
      return answered(Unanswered{"the client shows no questions to its user (it did not declare elicitation forms)"});
    }
    if (jsonrpc::serialized_size(json::array({question.message, question.schema})) > longest_question)
      return answered(Unanswered{"the question is too long to be shown"});
    if (!rounds_) return ask_by_request(question, std::move(answered));
    if (auto members = rounds_->ask(question)) return end_with_question(std::move(*members));
    answered(Unanswered{"the question was asked too often without a usable answer"});
  });
}

void OpenCall::end_with_question(json members) {
  members["resultType"] = "input_required";
  reply_->result(modern_result(std::move(members), surroundings_->identity));
  end();
}

void OpenCall::ask_by_request(const Question& question, std::function<void(Answer)> answered) {
  auto& questions = surroundings_->questions;
  if (questions.closed()) return answered(Unanswered{"the client has closed the connection"});
  if (questions.full()) return answered(Unanswered{"too many questions are open"});
  auto form = form_in(context_.revision->forms, question.schema);
  if (!form) return answered(Unanswered{"the client's protocol revision has no form for the question"});
  questions_.push_back(questions.ask(question, std::move(*form),
                                     [weak = weak_from_this(), answered = std::move(answered)](Answer answer) {
                                       const auto self = weak.lock();
                                       if (!self || !self->reply_->pending()) return;
                                       self->guarded([&] { answered(std::move(answer)); });
                                     }));
  show_signs_of_life();
}

// Clients end a call that is silent for long, and people take their time.
void OpenCall::show_signs_of_life() {
  if (!wants_progress()) return;
  const auto interval = surroundings_->limits.progress_every;
  waiting_ = surroundings_->loop.after(interval, [weak = weak_from_this(), interval] {
    const auto self = weak.lock();
    if (!self || self->no_question_is_open()) return;
    const auto step = std::chrono::duration<double>(interval).count();
    self->progress_while_waiting_ += step;
    self->send_progress(self->last_progress_.value_or(0) + step, "waiting for the user's answer");
    self->show_signs_of_life();
  });
}

bool OpenCall::no_question_is_open() const {
  return std::all_of(questions_.begin(), questions_.end(), [](const auto& question) { return question.expired(); });
}

void OpenCall::send_progress(double progress, std::string_view message) {
  if (!wants_progress() || !reply_->pending() || !std::isfinite(progress)) return;
  if (last_progress_ && progress <= *last_progress_) return;
  last_progress_ = progress;
  json params{{"progressToken", context_.progress_token}, {"progress", as_json_number(progress)}};
  if (context_.revision->progress_message && !message.empty()) params["message"] = message;
  surroundings_->dispatcher.notify(notification::progress, std::move(params));
}

void OpenCall::cancelled() {
  was_cancelled_ = true;
  const auto hooks = std::exchange(cancel_hooks_, {});
  end();
  for (const auto& hook : hooks) hook();
}

void OpenCall::end() {
  const auto self = shared_from_this();  // a question may hold the last reference
  waiting_.cancel();
  cancel_hooks_.clear();
  for (const auto& question : std::exchange(questions_, {}))
    surroundings_->questions.withdraw(question, "the call has ended");
}

// Contract C-30: what goes wrong here is the end of this call alone.
void OpenCall::guarded(const std::function<void()>& step) {
  const auto fail_internally = [this](const std::string& what) {
    surroundings_->log("internal error in the tool " + tool_name_ + ": " + what);
    fail(static_cast<int>(jsonrpc::ErrorCode::internal_error), "Internal error in the tool " + tool_name_, nullptr);
  };
  try {
    step();
  } catch (const jsonrpc::Error& error) {
    fail(error.code, error.message, error.data);
  } catch (const std::exception& exception) {
    fail_internally(exception.what());
  } catch (...) {
    fail_internally("unknown exception");
  }
}

}  // namespace cowork_terminal::mcp
