#include <algorithm>
#include <array>
#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <cowork_terminal/mcp/server.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/excerpt.hpp"
#include "mcp/legacy_handshake.hpp"
#include "mcp/open_call.hpp"
#include "mcp/protocol.hpp"
#include "mcp/request_context.hpp"
#include "mcp/result_shape.hpp"
#include "mcp/subscriptions.hpp"

namespace cowork_terminal::mcp {

namespace {

using jsonrpc::Error;
using jsonrpc::ErrorCode;
using jsonrpc::ReplyOnce;
using jsonrpc::Request;
using nlohmann::json;

// Options change the answers from one start to the next, and clients keep them.
json cacheable(json members) {
  members["ttlMs"] = 300'000;
  members["cacheScope"] = "private";
  return members;
}

void check_call_params(const json& params) {
  const auto name = params.find("name");
  if (name == params.end() || !name->is_string())
    throw Error{ErrorCode::invalid_params, "Invalid params: name is required and must be a string"};
  const auto arguments = params.find("arguments");
  if (arguments != params.end() && !arguments->is_object() && !arguments->is_null())
    throw Error{ErrorCode::invalid_params, "Invalid params: arguments must be an object"};
}

}  // namespace

struct Server::State {
  struct Method;

  State(loop::EventLoop& loop, jsonrpc::Dispatcher& client, const ToolRegistry& registry, ServerIdentity identity,
        Log log, QuestionLimits limits)
      : dispatcher(client),
        tools(registry),
        surroundings(std::make_shared<CallSurroundings>(
            CallSurroundings{loop, client, std::move(identity), std::move(log), limits,
                             RequestStates{limits.retry_within}, ClientQuestions{loop, client, limits.answer_wait}})),
        subscriptions(client, surroundings->identity) {}

  void on_request(Request request, ReplyOnce& reply);
  void on_notification(const jsonrpc::Notification& notification);

  void initialize(const RequestContext& context, json& params, ReplyOnce& reply);
  void ping(const RequestContext& context, json& params, ReplyOnce& reply);
  void discover(const RequestContext& context, json& params, ReplyOnce& reply);
  void list_tools(const RequestContext& context, json& params, ReplyOnce& reply);
  void call_tool(const RequestContext& context, json& params, ReplyOnce& reply);
  void listen(const RequestContext& context, json& params, ReplyOnce& reply);

  [[nodiscard]] json result(const RequestContext& context, json members) const {
    return context.era == Era::modern ? modern_result(std::move(members), surroundings->identity) : members;
  }

  jsonrpc::Dispatcher& dispatcher;
  const ToolRegistry& tools;
  std::shared_ptr<CallSurroundings> surroundings;
  Subscriptions subscriptions;
  std::optional<LegacySession> session;
};

struct Server::State::Method {
  std::string_view name;
  Era era;
  bool before_handshake;
  void (State::*serve)(const RequestContext&, json& params, ReplyOnce&);  // may move from params
};

void Server::State::on_request(Request request, ReplyOnce& reply) {
  static constexpr std::array methods{
      Method{method::initialize, Era::legacy, true, &State::initialize},
      Method{method::ping, Era::legacy, true, &State::ping},
      Method{method::tools_list, Era::legacy, false, &State::list_tools},
      Method{method::tools_call, Era::legacy, false, &State::call_tool},
      Method{method::server_discover, Era::modern, false, &State::discover},
      Method{method::tools_list, Era::modern, false, &State::list_tools},
      Method{method::tools_call, Era::modern, false, &State::call_tool},
      Method{method::subscriptions_listen, Era::modern, false, &State::listen},
  };

  const auto context = resolve_request_context(request, session);
  if (reply.in_batch() && !(context.revision != nullptr && context.revision->batches))
    throw Error{ErrorCode::invalid_request, "a batch may hold requests of revision 2025-03-26 only"};
  if (context.era == Era::modern) dispatcher.set_unknown_id(jsonrpc::UnknownId::omitted);
  const auto found = std::find_if(methods.begin(), methods.end(), [&](const Method& known) {
    return known.era == context.era && known.name == request.method;
  });
  if (found == methods.end()) throw Error{ErrorCode::method_not_found, "Method not found: " + excerpt(request.method)};
  if (request.params.is_null()) request.params = json::object();
  if (!request.params.is_object()) throw Error{ErrorCode::invalid_params, "Invalid params: params must be an object"};
  if (context.revision == nullptr && !found->before_handshake)
    throw Error{ErrorCode::invalid_params, "Invalid params: send initialize first, or put \"" +
                                               std::string(meta_key::protocol_version) + "\" and \"" +
                                               meta_key::client_capabilities + "\" into the _meta of each request (" +
                                               std::string(modern_revision.name) + ")"};
  (this->*found->serve)(context, request.params, reply);
}

void Server::State::on_notification(const jsonrpc::Notification& notification) {
  if (notification.method != notification::cancelled || !notification.params.is_object()) return;
  const auto id = notification.params.find("requestId");
  if (id != notification.params.end() && (id->is_string() || id->is_number_integer())) dispatcher.cancel(*id);
}

void Server::State::initialize(const RequestContext&, json& params, ReplyOnce& reply) {
  if (reply.in_batch())
    throw Error{ErrorCode::invalid_request, "initialize must not be part of a batch: send it alone"};
  session = negotiate(params);
  dispatcher.set_batches_allowed(session->revision->batches);
  dispatcher.set_unknown_id(session->revision->unknown_id_omitted ? jsonrpc::UnknownId::omitted
                                                                  : jsonrpc::UnknownId::null);
  surroundings->log("client " + json(excerpt(session->client_name)).dump() + " speaks revision " +
                    std::string(session->revision->name));
  reply.result(initialize_result(*session, surroundings->identity));
}

void Server::State::ping(const RequestContext&, json&, ReplyOnce& reply) { reply.result(json::object()); }

void Server::State::discover(const RequestContext& context, json&, ReplyOnce& reply) {
  json members{{"supportedVersions", json::array({modern_revision.name})},
               {"capabilities", {{"tools", json::object()}}}};
  const auto& instructions = surroundings->identity.instructions;
  if (!instructions.empty()) members["instructions"] = instructions;
  reply.result(result(context, cacheable(std::move(members))));
}

void Server::State::list_tools(const RequestContext& context, json& params, ReplyOnce& reply) {
  if (const auto cursor = params.find("cursor"); cursor != params.end() && !cursor->is_null())
    throw Error{ErrorCode::invalid_params, "Invalid params: unknown cursor; all tools are on the first page"};
  json entries = json::array();
  for (const auto& tool : tools.tools()) entries.push_back(tool_entry(tool->definition(), *context.revision));
  json members{{"tools", std::move(entries)}};
  reply.result(result(context, context.era == Era::modern ? cacheable(std::move(members)) : std::move(members)));
}

void Server::State::call_tool(const RequestContext& context, json& params, ReplyOnce& reply) {
  check_call_params(params);
  const auto& name = params.at("name").get_ref<const std::string&>();
  auto* const tool = tools.find(name);
  if (tool == nullptr) throw Error{ErrorCode::invalid_params, "Unknown tool: " + excerpt(name)};
  OpenCall::open(surroundings, context, std::move(params), reply)->run(*tool);
}

void Server::State::listen(const RequestContext&, json& params, ReplyOnce& reply) { subscriptions.open(params, reply); }

Server::Server(loop::EventLoop& loop, jsonrpc::Dispatcher& dispatcher, const ToolRegistry& tools,
               ServerIdentity identity, Log log, QuestionLimits limits)
    : state_(std::make_unique<State>(loop, dispatcher, tools, std::move(identity), std::move(log), limits)) {
  auto* const state = state_.get();
  dispatcher.handle({[state](Request request, ReplyOnce& reply) { state->on_request(std::move(request), reply); },
                     [state](const jsonrpc::Notification& notification) { state->on_notification(notification); },
                     state->surroundings->log});
}

Server::~Server() {
  state_->dispatcher.handle({});
  close();
}

void Server::close() {
  state_->subscriptions.close();
  state_->surroundings->questions.close();
}

}  // namespace cowork_terminal::mcp
