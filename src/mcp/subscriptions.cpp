#include "mcp/subscriptions.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "mcp/protocol.hpp"
#include "mcp/result_shape.hpp"

namespace cowork_terminal::mcp {

using nlohmann::json;

void Subscriptions::open(const json& params, jsonrpc::ReplyOnce& reply) {
  const auto filter = params.find("notifications");
  if (filter == params.end() || !filter->is_object())
    throw jsonrpc::Error{jsonrpc::ErrorCode::invalid_params,
                         "Invalid params: notifications is required and must be an object"};
  open_.erase(std::remove_if(open_.begin(), open_.end(), [](const auto& other) { return !other.pending(); }),
              open_.end());
  if (open_.size() >= limit)
    throw jsonrpc::Error{jsonrpc::ErrorCode::internal_error,
                         "Subscription limit reached: cancel one of the " + std::to_string(limit) + " that are open"};
  dispatcher_.notify(notification::subscriptions_acknowledged,
                     {{"_meta", {{meta_key::subscription_id, reply.id()}}}, {"notifications", json::object()}});
  if (closed_) return end(reply);
  open_.push_back(std::move(reply));
}

void Subscriptions::close() {
  closed_ = true;
  for (auto& reply : std::exchange(open_, {})) end(reply);
}

void Subscriptions::end(jsonrpc::ReplyOnce& reply) {
  json members{{"_meta", {{meta_key::subscription_id, reply.id()}}}};
  reply.result(modern_result(std::move(members), identity_));
}

}  // namespace cowork_terminal::mcp
