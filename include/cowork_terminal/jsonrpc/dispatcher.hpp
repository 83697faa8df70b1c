#pragma once

#include <cowork_terminal/jsonrpc/message.hpp>
#include <cowork_terminal/jsonrpc/stdio_transport.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace cowork_terminal::jsonrpc {

class Dispatcher;

// The one answer to a request. Move-only; the first call wins and ends it; dropped without an answer it answers with an
// internal error, so that no request is ever forgotten. After a cancellation every answer is thrown away.
class ReplyOnce {
 public:
  struct State;

  explicit ReplyOnce(std::shared_ptr<State> state);
  ReplyOnce(ReplyOnce&&) noexcept;
  ReplyOnce& operator=(ReplyOnce&&) noexcept;
  ~ReplyOnce();

  // `delivered` is called at once with false if nothing is sent any more.
  void result(nlohmann::json result, Delivered delivered = {});
  void error(Error error);
  // Ends the request without any answer.
  void drop();

  // Neither answered nor cancelled.
  [[nodiscard]] bool pending() const;
  [[nodiscard]] const nlohmann::json& id() const;
  // Called once if the request is cancelled while it is pending.
  void on_cancel(std::function<void()> hook);
  // How many requests share the answer line of this one: 1, or more inside a batch (contract C-13).
  [[nodiscard]] std::size_t line_sharers() const;
  // Came inside a batch, be it as its only message.
  [[nodiscard]] bool in_batch() const;

 private:
  std::shared_ptr<State> state_;
};

// What the layer above does with messages. May throw jsonrpc::Error out of on_request; any other exception becomes an
// internal error. Loop thread.
struct MessageHandlers {
  std::function<void(Request, ReplyOnce&)> on_request;  // moves from the ReplyOnce to answer later
  std::function<void(Notification)> on_notification;
  std::function<void(std::string_view)> log;  // one line for the operator
};

// How an error is written whose request id is unknown (protocol.md §6).
enum class UnknownId { null, omitted };

// Messages in one batch; a larger one is refused whole, before anything of it is done.
constexpr std::size_t max_batch_size = 1'024;
// Bytes of an answer line (contract C-13). The layers above cut what they send; what is still larger is a bug and
// becomes an internal error.
constexpr std::size_t max_answer_size = 8 * 1'024 * 1'024;

// Between lines and requests: parses, keeps the table of requests in flight, answers what is malformed, collects the
// answers of batches, matches responses to our own requests. Knows no method name. Loop thread only.
class Dispatcher {
 public:
  struct State;

  // `send` takes finished lines; it outlives the dispatcher.
  using Send = std::function<void(std::string line, Delivered delivered)>;

  explicit Dispatcher(Send send);
  ~Dispatcher();

  void handle(MessageHandlers handlers);

  // From the transport.
  void receive_line(std::string_view line);
  void receive_oversized_line(const nlohmann::json& id, std::size_t size, std::size_t limit);

  // Cancels the request in flight with exactly this id (type and value); false if there is none. Its hook runs, and no
  // answer will ever be sent.
  bool cancel(const nlohmann::json& id);
  // Requests in flight, our own requests to the client not counted.
  [[nodiscard]] std::size_t in_flight() const;
  // Called on the loop thread whenever the last request in flight was answered or cancelled.
  void on_idle(std::function<void()> idle);

  void notify(std::string_view method, nlohmann::json params);

  using OnResponse = std::function<void(std::variant<nlohmann::json, Error>)>;
  // Our own request to the client; returns its id. `on_response` is called at most once.
  nlohmann::json call(std::string_view method, nlohmann::json params, OnResponse on_response);
  // Forgets a call(): a late response is ignored.
  void forget(const nlohmann::json& id);

  void set_unknown_id(UnknownId form);
  void set_batches_allowed(bool allowed);

 private:
  std::shared_ptr<State> state_;
};

}  // namespace cowork_terminal::jsonrpc
