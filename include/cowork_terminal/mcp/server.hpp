#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <cowork_terminal/mcp/tool_registry.hpp>

namespace cowork_terminal::jsonrpc {
class Dispatcher;
}

namespace cowork_terminal::mcp {

struct ServerIdentity {
  std::string name;
  std::string title;
  std::string version;
  std::string instructions;
};

using Log = std::function<void(std::string_view line)>;

// MCP over a dispatcher, both eras, told apart message by message (protocol.md §3.1). Both arguments outlive it.
class Server {
 public:
  Server(jsonrpc::Dispatcher& dispatcher, const ToolRegistry& tools, ServerIdentity identity, Log log);
  ~Server();

  // The process is about to leave: ends open `subscriptions/listen` with their result (protocol.md §3.6).
  void close();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace cowork_terminal::mcp
