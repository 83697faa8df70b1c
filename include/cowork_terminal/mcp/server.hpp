#pragma once

#include <chrono>
#include <cowork_terminal/mcp/tool_registry.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cowork_terminal::jsonrpc {
class Dispatcher;
}

namespace cowork_terminal::loop {
class EventLoop;
}

namespace cowork_terminal::mcp {

struct ServerIdentity {
  std::string name;
  std::string title;
  std::string version;
  std::string instructions;
};

using Log = std::function<void(std::string_view line)>;

// How long and how often the user is asked (protocol.md §3.9, §5).
struct QuestionLimits {
  std::chrono::milliseconds answer_wait = std::chrono::minutes{5};     // legacy era: for one answer
  std::chrono::milliseconds progress_every = std::chrono::seconds{5};  // legacy era: while it is awaited
  std::chrono::milliseconds retry_within = std::chrono::minutes{10};   // modern era: until a requestState expires
  int rounds = 8;                                                      // modern era: input_required results in a row
};

// MCP over a dispatcher, both eras, told apart message by message (protocol.md §3.1). Loop, dispatcher and tools
// outlive it and every ToolCall. Loop thread only.
class Server {
 public:
  Server(loop::EventLoop& loop, jsonrpc::Dispatcher& dispatcher, const ToolRegistry& tools, ServerIdentity identity,
         Log log, QuestionLimits limits = {});
  ~Server();

  // No more will be read from the client: ends open `subscriptions/listen` with their result (protocol.md §3.6) and
  // lets open questions go unanswered. Calls go on.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cowork_terminal::mcp
