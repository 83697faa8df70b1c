#include "mcp/client_questions.hpp"

#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <utility>
#include <variant>

#include "mcp/excerpt.hpp"
#include "mcp/protocol.hpp"
#include "mcp/question_form.hpp"

namespace cowork_terminal::mcp {

using nlohmann::json;

struct ClientQuestions::Open {
  json id;
  json schema;
  Answered answered;
  loop::Timer too_old;
};

namespace {

Answer answer_in(const std::variant<json, jsonrpc::Error>& outcome, const json& schema) {
  if (const auto* error = std::get_if<jsonrpc::Error>(&outcome))
    return Unanswered{"the client could not ask: " + excerpt(error->message)};
  if (auto answer = read_answer(std::get<json>(outcome), schema)) return std::move(*answer);
  return Unanswered{"the client's answer does not fit the question"};
}

}  // namespace

ClientQuestions::ClientQuestions(loop::EventLoop& loop, jsonrpc::Dispatcher& dispatcher, std::chrono::milliseconds wait)
    : loop_(loop), dispatcher_(dispatcher), wait_(wait) {}

ClientQuestions::~ClientQuestions() {
  for (const auto& question : open_) dispatcher_.forget(question->id);
}

std::weak_ptr<ClientQuestions::Open> ClientQuestions::ask(const Question& question, json form, Answered answered) {
  auto open = std::make_shared<Open>();
  const std::weak_ptr<Open> handle = open;
  open->schema = question.schema;
  open->answered = std::move(answered);
  open_.push_back(open);

  // Without `mode`, which the first revision does not know and the others take for a form.
  open->id = dispatcher_.call(method::elicitation_create,
                              {{"message", question.message}, {"requestedSchema", std::move(form)}},
                              [this, handle](const std::variant<json, jsonrpc::Error>& outcome) {
                                if (const auto asked = handle.lock()) settle(handle, answer_in(outcome, asked->schema));
                              });
  open->too_old = loop_.after(wait_, [this, handle] {
    if (const auto asked = handle.lock()) take_back(*asked, "no answer in time");
    settle(handle, Unanswered{"no answer came in time"});
  });
  return handle;
}

void ClientQuestions::withdraw(const std::weak_ptr<Open>& question, std::string_view reason) {
  const auto open = question.lock();
  // One that is just being answered is no longer in the list.
  if (!open || open_.remove(open) == 0) return;
  take_back(*open, reason);
}

void ClientQuestions::close() {
  closed_ = true;
  while (!open_.empty()) {
    const std::weak_ptr<Open> first = open_.front();
    dispatcher_.forget(open_.front()->id);
    settle(first, Unanswered{"the client has closed the connection"});
  }
}

void ClientQuestions::settle(const std::weak_ptr<Open>& question, Answer answer) {
  const auto open = question.lock();
  if (!open || open_.remove(open) == 0) return;
  open->too_old.cancel();
  if (const auto answered = std::exchange(open->answered, nullptr)) answered(std::move(answer));
}

void ClientQuestions::take_back(const Open& question, std::string_view reason) {
  dispatcher_.forget(question.id);
  dispatcher_.notify(notification::cancelled, {{"requestId", question.id}, {"reason", reason}});
}

}  // namespace cowork_terminal::mcp
