#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cowork_terminal::mcp {

// ToolAnnotations of the MCP schema; all four are always written out.
struct ToolAnnotations {
  bool read_only = false;
  bool destructive = true;
  bool idempotent = false;
  bool open_world = true;
};

// What `tools/list` says of a tool; the server leaves out what a revision does not define.
struct ToolDefinition {
  std::string name;  // [A-Za-z0-9_-], at most 64
  std::string title;
  std::string description;
  nlohmann::json input_schema;
  nlohmann::json output_schema = nullptr;  // null: none
  ToolAnnotations annotations = {};
  nlohmann::json meta = nullptr;  // `_meta`; null: none
};

// CallToolResult. A result with `structured` gets its compact JSON as the one text block; without it `text` is sent.
struct ToolResult {
  std::vector<std::string> text;
  nlohmann::json structured = nullptr;
  bool is_error = false;

  static ToolResult success(nlohmann::json structured_content) { return {{}, std::move(structured_content), false}; }
  static ToolResult plain(std::string text_block) { return {{std::move(text_block)}, nullptr, false}; }
  // `what_to_change` is read by the model.
  static ToolResult refusal(std::string what_to_change) { return {{std::move(what_to_change)}, nullptr, true}; }
};

// How the room of one answer line is counted (contract C-13): a string of the structured content costs cost(text) bytes
// of it, as it stands in the structured content (where the revision has one) and again in the text block.
struct ResultRoom {
  std::size_t bytes;        // for the whole structured content, its keys and punctuation included
  bool structured_is_sent;  // also once beside the text block
  // Of valid UTF-8. Costs of pieces add up.
  [[nodiscard]] std::size_t cost(std::string_view utf8) const;
  // No byte costs more, so that short strings need not be counted.
  static constexpr std::size_t most_per_byte = 13;
};

// Asking the user (elicitation, protocol.md §3.9 and §5). `schema` is a flat object schema as revision 2025-11-25 has
// it; the server words it for the client's revision. `pattern` and `format` are left to the client, all else is
// checked.
struct Question {
  std::string key;  // unique within the call
  std::string message;
  nlohmann::json schema;
  // Without an answer the call cannot be served at all: a client without the capability gets -32021 (modern era).
  bool indispensable = false;
  // An answer counts only if this process asked for it in this call. Not needed where an answer grants nothing.
  bool must_have_been_asked = true;
};

struct Accepted {
  nlohmann::json content;  // conforms to the question's schema and holds only its properties
};
struct Declined {};
// Nobody could be asked, or nobody answered; also a question that was closed without a choice.
struct Unanswered {
  std::string reason;
};
using Answer = std::variant<Accepted, Declined, Unanswered>;

// One `tools/call` while it is served. Shared, so that whoever finishes it may keep it; the first result wins, and one
// that is let go without a result is answered with an internal error. After a cancellation nothing is sent any more.
// Loop thread only.
class ToolCall {
 public:
  virtual ~ToolCall() = default;

  [[nodiscard]] virtual const nlohmann::json& arguments() const = 0;  // an object
  [[nodiscard]] virtual ResultRoom room() const = 0;
  [[nodiscard]] virtual bool wants_progress() const = 0;
  // Nothing is sent if no token was given, the call has ended, or `progress` is not above the last one.
  virtual void progress(double progress, std::string_view message) = 0;
  // Called once if the client cancels before the result; at once if it has already.
  virtual void on_cancel(std::function<void()> hook) = 0;
  // `delivered` hears on the loop thread whether the line was written; false too if the call had been cancelled.
  virtual void finish(ToolResult result, std::function<void(bool written)> delivered = {}) = 0;
  // A JSON-RPC error of the method itself; tools refuse arguments with ToolResult::refusal instead.
  virtual void fail(int code, std::string message, nlohmann::json data = nullptr) = 0;
  // Asks the user and calls `answered` with the answer. In the modern era the call may end here and be made anew by the
  // client: then the tool runs again from its start, asks the same, and `answered` is called at once. So nothing that
  // has an effect may be done before the last answer. A copy of the call held by `answered` keeps the call alive.
  virtual void ask(Question question, std::function<void(Answer)> answered) = 0;
  // Whether the client declared this capability (top-level member of ClientCapabilities) for this request.
  [[nodiscard]] virtual bool client_has(std::string_view capability) const = 0;
};

// Something a model can do. Lives as long as the server.
class Tool {
 public:
  virtual ~Tool() = default;
  [[nodiscard]] virtual const ToolDefinition& definition() const = 0;
  // Returns at once; the result comes by call->finish(). An exception becomes an internal error of this call alone.
  virtual void call(std::shared_ptr<ToolCall> call) = 0;
};

}  // namespace cowork_terminal::mcp
