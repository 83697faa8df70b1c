#pragma once

#include <cowork_terminal/jsonrpc/serialize.hpp>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace cowork_terminal::jsonrpc {

// JSON-RPC 2.0, section 5.1.
enum class ErrorCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
};

// An error answer; may be thrown by whoever handles a request.
struct Error {
  int code;
  std::string message;
  nlohmann::json data = nullptr;  // null: no data

  Error(int error_code, std::string text, nlohmann::json details = nullptr)
      : code(error_code), message(std::move(text)), data(std::move(details)) {}
  Error(ErrorCode error_code, std::string text) : Error(static_cast<int>(error_code), std::move(text)) {}
};

struct Request {
  nlohmann::json id;  // string or integer, exactly as it came
  std::string method;
  nlohmann::json params;  // as it came; null if absent
};

struct Notification {
  std::string method;
  nlohmann::json params;
};

struct Response {
  nlohmann::json id;
  std::variant<nlohmann::json, Error> outcome;
};

// A message that gets no answer and does nothing, e.g. a malformed response; `reason` is for the log.
struct Ignored {
  std::string reason;
};

// A message that is answered with an error and nothing else; `id` is null where none could be read.
struct Invalid {
  nlohmann::json id;
  Error error;
};

using Message = std::variant<Request, Notification, Response, Ignored, Invalid>;

// Arrays and objects inside each other; a deeper message is refused.
constexpr std::size_t max_nesting = 100;
// Bytes of an id as serialize() writes it; a request with a longer one is refused, since every answer repeats it.
constexpr std::size_t max_id_size = 64 * 1'024;

// One JSON value as a message (protocol.md §6). Arrays are the caller's.
Message to_message(nlohmann::json value);

// One line as JSON: the value, or the error to answer with. Nesting is bounded; invalid UTF-8 is a parse error.
std::variant<nlohmann::json, Error> parse_line(std::string_view line);

nlohmann::json make_result(const nlohmann::json& id, nlohmann::json result);
nlohmann::json make_error(const nlohmann::json& id, const Error& error);
nlohmann::json make_request(const nlohmann::json& id, std::string_view method, nlohmann::json params);
nlohmann::json make_notification(std::string_view method, nlohmann::json params);

}  // namespace cowork_terminal::jsonrpc
