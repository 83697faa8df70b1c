#pragma once

#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <cowork_terminal/mcp/server.hpp>
#include <cstddef>
#include <vector>

namespace cowork_terminal::mcp {

// The open `subscriptions/listen` requests. Nothing of ours changes, so that none of them ever hears of anything.
class Subscriptions {
 public:
  static constexpr std::size_t limit = 64;

  Subscriptions(jsonrpc::Dispatcher& dispatcher, const ServerIdentity& identity)
      : dispatcher_(dispatcher), identity_(identity) {}

  // Acknowledges and keeps the request open. Throws jsonrpc::Error beyond the limit and for params of the wrong shape.
  void open(const nlohmann::json& params, jsonrpc::ReplyOnce& reply);
  // Ends all with their result, and every further one at once.
  void close();

 private:
  void end(jsonrpc::ReplyOnce& reply);

  jsonrpc::Dispatcher& dispatcher_;
  const ServerIdentity& identity_;
  std::vector<jsonrpc::ReplyOnce> open_;  // cancelled ones stay until the next is opened
  bool closed_ = false;
};

}  // namespace cowork_terminal::mcp
