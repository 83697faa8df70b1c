#pragma once

#include <chrono>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/mcp/tool.hpp>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace cowork_terminal::jsonrpc {
class Dispatcher;
}

namespace cowork_terminal::mcp {

// The questions of the legacy era: our own requests to the client, each open until it is answered, withdrawn, or too
// old (protocol.md §5).
class ClientQuestions {
 public:
  static constexpr std::size_t limit = 64;

  using Answered = std::function<void(Answer)>;
  struct Open;

  ClientQuestions(loop::EventLoop& loop, jsonrpc::Dispatcher& dispatcher, std::chrono::milliseconds wait);
  ~ClientQuestions();

  // `form` is the schema of the question in the words of the client's revision. `answered` is called once, later,
  // unless the question is withdrawn before. Not after close(), nor while full().
  std::weak_ptr<Open> ask(const Question& question, nlohmann::json form, Answered answered);
  // Takes the question back from the client; `answered` is not called.
  void withdraw(const std::weak_ptr<Open>& question, std::string_view reason);
  // No answer can come any more: all open questions go unanswered.
  void close();
  [[nodiscard]] bool full() const { return open_.size() >= limit; }
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  void settle(const std::weak_ptr<Open>& question, Answer answer);
  void take_back(const Open& question, std::string_view reason);

  loop::EventLoop& loop_;
  jsonrpc::Dispatcher& dispatcher_;
  std::chrono::milliseconds wait_;
  std::list<std::shared_ptr<Open>> open_;
  bool closed_ = false;
};

}  // namespace cowork_terminal::mcp
