#pragma once

#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cowork_terminal::jsonrpc {

// The answers of one batch: one array, sent when its last request ended; nothing if there are none.
class BatchAnswers {
 public:
  BatchAnswers(std::weak_ptr<Dispatcher::State> dispatcher, std::size_t requests)
      : dispatcher_(std::move(dispatcher)), requests_(requests) {}
  BatchAnswers(const BatchAnswers&) = delete;
  BatchAnswers& operator=(const BatchAnswers&) = delete;
  // The requests in flight and, while it is read, the batch itself share this object.
  ~BatchAnswers();

  void add(std::string_view answer, Delivered delivered);
  [[nodiscard]] std::size_t requests() const { return requests_; }

 private:
  std::weak_ptr<Dispatcher::State> dispatcher_;
  std::size_t requests_;
  std::string line_;
  std::vector<Delivered> delivered_;
};

struct ReplyOnce::State {
  std::weak_ptr<Dispatcher::State> dispatcher;
  nlohmann::json id;
  std::string key;                      // of the table of requests in flight
  std::shared_ptr<BatchAnswers> batch;  // null outside of a batch
  bool is_batched = false;
  std::size_t line_sharers = 1;
  bool is_pending = true;
  std::function<void()> cancel_hook = {};
};

struct Dispatcher::State : std::enable_shared_from_this<State> {
  explicit State(Send line_sender) : send(std::move(line_sender)) {}

  // Ends a pending request: it leaves the table. False if it had ended before.
  bool end(ReplyOnce::State& request);
  void answer(ReplyOnce::State& request, nlohmann::json message, Delivered delivered);
  void tell_if_idle() const;
  void log(std::string_view line) const;
  // Runs `step`, which is code of the layer above; an exception ends nothing but itself.
  void guarded(std::string_view what, const std::function<void()>& step) const;

  [[nodiscard]] nlohmann::json error_message(const nlohmann::json& id, const Error& error) const;
  void receive(nlohmann::json value, const std::shared_ptr<BatchAnswers>& batch);
  void receive_batch(nlohmann::json array);
  void start(Request request, const std::shared_ptr<BatchAnswers>& batch);
  void run(Request request, const std::shared_ptr<ReplyOnce::State>& state);
  void notice(Notification notification);
  void match(Response response);
  void refuse(const Invalid& invalid, const std::shared_ptr<BatchAnswers>& batch);

  Send send;
  MessageHandlers handlers;
  std::function<void()> on_idle;
  std::unordered_map<std::string, std::shared_ptr<ReplyOnce::State>> requests;
  std::unordered_map<std::string, OnResponse> calls;
  std::size_t calls_made = 0;
  UnknownId unknown_id = UnknownId::null;
  bool batches_are_allowed = false;
};

}  // namespace cowork_terminal::jsonrpc
