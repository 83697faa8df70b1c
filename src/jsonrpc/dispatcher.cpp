#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <exception>
#include <utility>

#include "jsonrpc/oversized_line_scanner.hpp"
#include "jsonrpc/request_in_flight.hpp"

namespace cowork_terminal::jsonrpc {
namespace {

using nlohmann::json;

constexpr std::size_t max_ids_of_a_batch = 1'024 * 1'024;  // bytes: every answer line repeats them (contract C-13)

Error internal_error() { return {ErrorCode::internal_error, "Internal error"}; }

Error invalid_request(std::string_view what) {
  return {ErrorCode::invalid_request, "Invalid Request: " + std::string{what}};
}

json top_level_id(std::string_view line) {
  OversizedLineScanner scanner;
  scanner.feed(line);
  return scanner.id();
}

bool is_request(const json& message) { return message.is_object() && message.contains("method"); }

std::size_t size_of_ids(const json& batch) {
  std::size_t size = 0;
  for (const json& message : batch) {
    if (message.is_object() && message.contains("id")) size += serialized_size(message["id"]);
  }
  return size;
}

std::size_t count_answers(const json& batch) {
  std::size_t count = 0;
  for (const json& message : batch) {
    if (is_request(message) && message.contains("id")) ++count;
  }
  return count;
}

}  // namespace

void Dispatcher::State::log(std::string_view line) const {
  if (handlers.log) handlers.log(line);
}

void Dispatcher::State::guarded(std::string_view what, const std::function<void()>& step) const {
  try {
    step();
  } catch (const Error& error) {
    log(std::string{what} + " failed: " + error.message);
  } catch (const std::exception& error) {
    log(std::string{what} + " failed: " + error.what());
  } catch (...) {
    log(std::string{what} + " failed");
  }
}

json Dispatcher::State::error_message(const json& id, const Error& error) const {
  json message = make_error(id, error);
  if (id.is_null() && unknown_id == UnknownId::omitted) message.erase("id");
  return message;
}

bool Dispatcher::State::end(ReplyOnce::State& request) {
  if (!std::exchange(request.is_pending, false)) return false;
  request.cancel_hook = nullptr;
  request.batch.reset();
  requests.erase(request.key);
  return true;
}

void Dispatcher::State::answer(ReplyOnce::State& request, json message, Delivered delivered) {
  const auto self = shared_from_this();
  auto batch = request.batch;
  const json id = request.id;
  if (!end(request)) return;
  std::string line = serialize(message);
  message = nullptr;
  if (line.size() > max_answer_size) {
    log("an answer of " + std::to_string(line.size()) + " bytes was replaced by an error");
    line = serialize(make_error(id, {ErrorCode::internal_error, "Internal error: the result is too large"}));
  }
  if (batch) {
    batch->add(line, std::move(delivered));
    batch.reset();
  } else {
    send(std::move(line), std::move(delivered));
  }
  tell_if_idle();
}

void Dispatcher::State::tell_if_idle() const {
  if (requests.empty() && on_idle) on_idle();
}

void Dispatcher::State::receive(json value, const std::shared_ptr<BatchAnswers>& batch) {
  Message message = to_message(std::move(value));
  if (auto* request = std::get_if<Request>(&message)) {
    start(std::move(*request), batch);
  } else if (auto* notification = std::get_if<Notification>(&message)) {
    notice(std::move(*notification));
  } else if (auto* response = std::get_if<Response>(&message)) {
    match(std::move(*response));
  } else if (const auto* ignored = std::get_if<Ignored>(&message)) {
    log("ignored: " + ignored->reason);
  } else if (const auto* invalid = std::get_if<Invalid>(&message)) {
    refuse(*invalid, batch);
  }
}

void Dispatcher::State::receive_batch(json array) {
  if (!batches_are_allowed) return refuse({nullptr, invalid_request("batches belong to revision 2025-03-26")}, nullptr);
  if (array.empty()) return refuse({nullptr, invalid_request("the batch is empty")}, nullptr);
  if (array.size() > max_batch_size || size_of_ids(array) > max_ids_of_a_batch) {
    const auto text = "the batch is too large; send at most " + std::to_string(max_batch_size) + " messages";
    return refuse({nullptr, invalid_request(text)}, nullptr);
  }
  const auto batch = std::make_shared<BatchAnswers>(weak_from_this(), count_answers(array));
  for (json& message : array) receive(std::move(message), batch);
}

void Dispatcher::State::start(Request request, const std::shared_ptr<BatchAnswers>& batch) {
  std::string key = serialize(request.id);
  if (requests.contains(key)) {
    return refuse({request.id, {ErrorCode::invalid_request, "Request id already in use"}}, batch);
  }
  const auto state = std::make_shared<ReplyOnce::State>(
      ReplyOnce::State{weak_from_this(), request.id, key, batch, batch != nullptr, batch ? batch->requests() : 1});
  requests.emplace(std::move(key), state);
  run(std::move(request), state);
}

void Dispatcher::State::run(Request request, const std::shared_ptr<ReplyOnce::State>& state) {
  ReplyOnce reply{state};
  try {
    if (handlers.on_request) handlers.on_request(std::move(request), reply);
  } catch (const Error& error) {
    answer(*state, make_error(state->id, error), {});
  } catch (const std::exception& error) {
    log(std::string{"a request failed: "} + error.what());
    answer(*state, make_error(state->id, internal_error()), {});
  } catch (...) {
    log("a request failed");
    answer(*state, make_error(state->id, internal_error()), {});
  }
}

void Dispatcher::State::notice(Notification notification) {
  if (!handlers.on_notification) return;
  guarded("a notification", [&] { handlers.on_notification(std::move(notification)); });
}

void Dispatcher::State::match(Response response) {
  const auto call = calls.find(serialize(response.id));
  if (call == calls.end()) return log("ignored: a response to no request of ours");
  const OnResponse on_response = std::move(call->second);
  calls.erase(call);
  guarded("a response", [&] { on_response(std::move(response.outcome)); });
}

void Dispatcher::State::refuse(const Invalid& invalid, const std::shared_ptr<BatchAnswers>& batch) {
  std::string line = serialize(error_message(invalid.id, invalid.error));
  if (batch) {
    batch->add(line, {});
  } else {
    send(std::move(line), {});
  }
}

Dispatcher::Dispatcher(Send send) : state_(std::make_shared<State>(std::move(send))) {}

Dispatcher::~Dispatcher() = default;

void Dispatcher::handle(MessageHandlers handlers) { state_->handlers = std::move(handlers); }

void Dispatcher::receive_line(std::string_view line) {
  auto parsed = parse_line(line);
  if (const auto* error = std::get_if<Error>(&parsed)) {
    const bool is_json = error->code != static_cast<int>(ErrorCode::parse_error);
    return state_->refuse({is_json ? top_level_id(line) : json(nullptr), *error}, nullptr);
  }
  json& value = std::get<json>(parsed);
  if (value.is_array()) return state_->receive_batch(std::move(value));
  state_->receive(std::move(value), nullptr);
}

void Dispatcher::receive_oversized_line(const json& id, std::size_t size, std::size_t limit) {
  constexpr std::size_t mebibyte = 1'024 * 1'024;
  std::string text =
      "Message too large: " + std::to_string(size) + " bytes; the limit is " + std::to_string(limit) + " bytes";
  if (limit >= mebibyte && limit % mebibyte == 0) text += " (" + std::to_string(limit / mebibyte) + " MiB)";
  text += ". Write large data to a file in several calls, or pass the path of a file that holds it.";
  state_->refuse({id, {ErrorCode::invalid_request, std::move(text)}}, nullptr);
}

bool Dispatcher::cancel(const json& id) {
  const auto found = state_->requests.find(serialize(id));
  if (found == state_->requests.end()) return false;
  const auto self = state_;
  const auto request = found->second;
  const auto hook = std::move(request->cancel_hook);
  self->end(*request);
  if (hook) self->guarded("a cancellation", hook);
  self->tell_if_idle();
  return true;
}

std::size_t Dispatcher::in_flight() const { return state_->requests.size(); }

void Dispatcher::on_idle(std::function<void()> idle) { state_->on_idle = std::move(idle); }

void Dispatcher::notify(std::string_view method, json params) {
  state_->send(serialize(make_notification(method, std::move(params))), {});
}

json Dispatcher::call(std::string_view method, json params, OnResponse on_response) {
  json id = "srv-" + std::to_string(++state_->calls_made);
  state_->calls.emplace(serialize(id), std::move(on_response));
  state_->send(serialize(make_request(id, method, std::move(params))), {});
  return id;
}

void Dispatcher::forget(const json& id) { state_->calls.erase(serialize(id)); }

void Dispatcher::set_unknown_id(UnknownId form) { state_->unknown_id = form; }

void Dispatcher::set_batches_allowed(bool allowed) { state_->batches_are_allowed = allowed; }

}  // namespace cowork_terminal::jsonrpc
