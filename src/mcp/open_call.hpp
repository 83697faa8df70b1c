#pragma once

#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/mcp/server.hpp>
#include <cowork_terminal/mcp/tool.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/client_questions.hpp"
#include "mcp/input_rounds.hpp"
#include "mcp/request_context.hpp"

namespace cowork_terminal::mcp {

// What all calls of one server share.
struct CallSurroundings {
  loop::EventLoop& loop;
  jsonrpc::Dispatcher& dispatcher;
  ServerIdentity identity;
  Log log;
  QuestionLimits limits;
  RequestStates states;
  ClientQuestions questions;
};

// The ToolCall of one request of either era.
class OpenCall : public ToolCall, public std::enable_shared_from_this<OpenCall> {
 public:
  // `params` have the shape of CallToolRequest. Throws jsonrpc::Error for a `requestState` that is refused.
  static std::shared_ptr<OpenCall> open(std::shared_ptr<CallSurroundings> surroundings, RequestContext context,
                                        nlohmann::json params, jsonrpc::ReplyOnce& reply);
  ~OpenCall() override;

  // Starts the tool; what it throws becomes an error of this call.
  void run(Tool& tool);

  [[nodiscard]] const nlohmann::json& arguments() const override { return arguments_; }
  [[nodiscard]] ResultRoom room() const override;
  [[nodiscard]] bool wants_progress() const override { return !context_.progress_token.is_null(); }
  void progress(double progress, std::string_view message) override;
  void on_cancel(std::function<void()> hook) override;
  void finish(ToolResult result, std::function<void(bool written)> delivered) override;
  void fail(int code, std::string message, nlohmann::json data) override;
  void ask(Question question, std::function<void(Answer)> answered) override;
  [[nodiscard]] bool client_has(std::string_view capability) const override { return context_.client_has(capability); }

 private:
  OpenCall(std::shared_ptr<CallSurroundings> surroundings, RequestContext context, nlohmann::json params);

  void guarded(const std::function<void()>& step);
  void cancelled();
  void end();
  void end_with_question(nlohmann::json members);
  void ask_by_request(const Question& question, std::function<void(Answer)> answered);
  void show_signs_of_life();
  [[nodiscard]] bool no_question_is_open() const;
  void send_progress(double progress, std::string_view message);

  std::shared_ptr<CallSurroundings> surroundings_;
  RequestContext context_;
  std::string tool_name_;
  nlohmann::json arguments_;
  std::optional<InputRounds> rounds_;        // modern era
  std::optional<jsonrpc::ReplyOnce> reply_;  // always there once opened
  std::vector<std::function<void()>> cancel_hooks_;
  std::vector<std::weak_ptr<ClientQuestions::Open>> questions_;  // legacy era: open ones, and old ones that are gone
  bool was_cancelled_ = false;
  loop::Timer waiting_;
  std::optional<double> last_progress_;
  double progress_while_waiting_ = 0;  // added to what the tool says, so that progress never falls back
};

}  // namespace cowork_terminal::mcp
