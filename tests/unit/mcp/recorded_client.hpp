#pragma once

#include <chrono>
#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <cowork_terminal/loop/asio.hpp>
#include <cowork_terminal/mcp/server.hpp>
#include <cowork_terminal/mcp/tool_registry.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "mcp/protocol.hpp"

namespace cowork_terminal::mcp::tests {

using nlohmann::json;
using Call = std::shared_ptr<ToolCall>;
using CallBody = std::function<void(const Call&)>;

// A tool whose behaviour a test writes down.
class ProbeTool : public Tool {
 public:
  ProbeTool(ToolDefinition definition, CallBody& body) : definition_(std::move(definition)), body_(body) {}

  [[nodiscard]] const ToolDefinition& definition() const override { return definition_; }
  void call(Call call) override { body_(call); }

 private:
  ToolDefinition definition_;
  CallBody& body_;
};

inline ToolDefinition probe_definition() {
  ToolDefinition definition;
  definition.name = "probe";
  definition.title = "Probe";
  definition.description = "Does what a test says.";
  definition.input_schema = {{"type", "object"}, {"properties", json::object()}, {"additionalProperties", false}};
  definition.output_schema = {{"type", "object"}, {"properties", {{"stdout", {{"type", "string"}}}}}};
  definition.meta = {{"anthropic/alwaysLoad", true}};
  return definition;
}

// The other end of a server, in the same thread: what the server sends is kept.
class RecordedClient {
 public:
  explicit RecordedClient(QuestionLimits limits = {}, CallBody body = finish_plainly)
      : on_call(std::move(body)), dispatcher([this](std::string line, const jsonrpc::Delivered& delivered) {
          lines.push_back(line);
          sent.push_back(json::parse(line));
          if (delivered) delivered(true);
        }) {
    tools.add(std::make_unique<ProbeTool>(probe_definition(), on_call));
    server = std::make_unique<Server>(
        loop, dispatcher, tools, ServerIdentity{"name", "Title", "1.2.3", "Instructions."},
        [this](std::string_view line) { log.emplace_back(line); }, limits);
  }
  RecordedClient(const RecordedClient&) = delete;
  RecordedClient& operator=(const RecordedClient&) = delete;

  static void finish_plainly(const Call& call) { call->finish(ToolResult::plain("done")); }

  void send(const json& message) { dispatcher.receive_line(message.dump()); }

  // Sends a request and returns the answer to it that was sent meanwhile; null if there was none.
  json request(const json& id, const std::string& method, json params = nullptr) {
    json message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
    if (!params.is_null()) message["params"] = std::move(params);
    const auto before = sent.size();
    send(message);
    return answer_since(before, id);
  }

  json modern_request(const json& id, const std::string& method, json params = json::object(),
                      json capabilities = json::object()) {
    return request(id, method, with_envelope(std::move(params), std::move(capabilities)));
  }

  json handshake(const std::string& revision, json capabilities = json::object()) {
    return request("handshake", "initialize",
                   {{"protocolVersion", revision},
                    {"capabilities", std::move(capabilities)},
                    {"clientInfo", {{"name", "recorded"}, {"version", "1"}}}});
  }

  json call_probe(const json& id, json params = json::object()) {
    params["name"] = "probe";
    return request(id, "tools/call", std::move(params));
  }

  json modern_call(const json& id, json params = json::object(), json capabilities = forms()) {
    params["name"] = "probe";
    return modern_request(id, "tools/call", std::move(params), std::move(capabilities));
  }

  void notify(const std::string& method, json params) {
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  }
  void cancel(const json& id) { notify("notifications/cancelled", {{"requestId", id}}); }
  void respond(const json& id, json result) { send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}); }

  [[nodiscard]] json answer_to(const json& id) const { return answer_since(0, id); }
  [[nodiscard]] std::vector<json> sent_with_method(const std::string& method) const {
    std::vector<json> found;
    for (const auto& message : sent)
      if (message.value("method", "") == method) found.push_back(message);
    return found;
  }

  // Runs the loop until `condition` holds; false if it does not within ten seconds.
  bool wait_until(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      loop.asio().context.run_one_for(std::chrono::milliseconds{50});
    }
    return true;
  }

  static json forms() { return {{"elicitation", {{"form", json::object()}}}}; }

  static json with_envelope(json params, json capabilities) {
    params["_meta"][meta_key::protocol_version] = "2026-07-28";
    params["_meta"][meta_key::client_capabilities] = std::move(capabilities);
    return params;
  }

  std::vector<std::string> lines;
  std::vector<json> sent;
  std::vector<std::string> log;
  CallBody on_call;
  loop::EventLoop loop;
  jsonrpc::Dispatcher dispatcher;
  ToolRegistry tools;
  std::unique_ptr<Server> server;

 private:
  [[nodiscard]] json answer_since(std::size_t first, const json& id) const {
    for (auto i = first; i < sent.size(); ++i)
      if (!sent[i].contains("method") && sent[i].contains("id") && sent[i]["id"].dump() == id.dump()) return sent[i];
    return nullptr;
  }
};

inline int error_code_of(const json& answer) {
  return answer.contains("error") ? answer["error"]["code"].get<int>() : 0;
}

}  // namespace cowork_terminal::mcp::tests
