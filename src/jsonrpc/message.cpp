#include <cowork_terminal/jsonrpc/message.hpp>
#include <cowork_terminal/jsonrpc/serialize.hpp>
#include <cstdint>
#include <optional>
#include <utility>

namespace cowork_terminal::jsonrpc {
namespace {

using nlohmann::json;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// Outside of strings only brackets change the depth; whether they match is the parser's business.
bool nests_deeper_than(std::string_view text, std::size_t limit) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if ((c == '[' || c == '{') && ++depth > limit) return true;
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return false;
}

Error parse_error() { return {ErrorCode::parse_error, "Parse error: the line is not valid JSON in UTF-8"}; }

const json* find(const json& object, const char* key) {
  const auto member = object.find(key);
  return member == object.end() ? nullptr : &*member;
}

bool is_request_id(const json& id) { return id.is_string() || id.is_number_integer(); }

std::optional<std::string> reason_to_ignore(const json& object) {
  const json* id = find(object, "id");
  if (id == nullptr || !is_request_id(*id)) return "a response without the id of a request";
  if (object.contains("result") == object.contains("error")) return "a response with both result and error";
  const json* version = find(object, "jsonrpc");
  if (version == nullptr || *version != "2.0") return "a response that is not JSON-RPC 2.0";
  if (const json* error = find(object, "error")) {
    const json* code = error->is_object() ? find(*error, "code") : nullptr;
    const json* text = error->is_object() ? find(*error, "message") : nullptr;
    if (code == nullptr || !code->is_number_integer() || text == nullptr || !text->is_string()) {
      return "a response whose error has no code or no message";
    }
  }
  return std::nullopt;
}

// Codes outside of int are no codes of anybody; the nearest one stands for them.
int error_code(const json& code) {
  constexpr std::int64_t lowest = INT32_MIN;
  constexpr std::int64_t highest = INT32_MAX;
  if (code.is_number_unsigned() && code.get<std::uint64_t>() > static_cast<std::uint64_t>(highest)) return INT32_MAX;
  const auto number = code.get<std::int64_t>();
  return static_cast<int>(number < lowest ? lowest : number > highest ? highest : number);
}

Message to_response(json object) {
  if (auto reason = reason_to_ignore(object)) return Ignored{*std::move(reason)};
  if (!object.contains("error")) return Response{std::move(object["id"]), std::move(object["result"])};
  json& error = object["error"];
  Error outcome{error_code(error["code"]), std::move(error["message"].get_ref<json::string_t&>())};
  if (error.contains("data")) outcome.data = std::move(error["data"]);
  return Response{std::move(object["id"]), std::move(outcome)};
}

Invalid invalid(json id, std::string_view what) {
  return {std::move(id), Error{ErrorCode::invalid_request, "Invalid Request: " + std::string{what}}};
}

}  // namespace

std::variant<json, Error> parse_line(std::string_view line) {
  // The parser would skip a byte order mark and take NUL for the end of the text.
  if (line.starts_with(byte_order_mark) || line.find('\0') != std::string_view::npos) return parse_error();
  if (nests_deeper_than(line, max_nesting)) {
    if (!json::accept(line)) return parse_error();
    return Error{ErrorCode::invalid_request,
                 "Invalid Request: nested deeper than " + std::to_string(max_nesting) + " levels"};
  }
  json value = json::parse(line, nullptr, false);
  if (value.is_discarded()) return parse_error();
  return value;
}

Message to_message(json value) {
  if (!value.is_object()) return invalid(nullptr, "a message is a JSON object");
  const bool has_outcome = value.contains("result") || value.contains("error");
  const json* method = find(value, "method");
  if (method == nullptr && has_outcome) return to_response(std::move(value));

  const json* id = find(value, "id");
  const bool id_is_usable = id != nullptr && is_request_id(*id);
  if (id_is_usable && serialized_size(*id) > max_id_size) {
    return invalid(nullptr, "\"id\" is longer than " + std::to_string(max_id_size) + " bytes");
  }
  json known_id = id_is_usable ? *id : json(nullptr);
  const json* version = find(value, "jsonrpc");
  if (version == nullptr || *version != "2.0") return invalid(std::move(known_id), "\"jsonrpc\" must be \"2.0\"");
  if (method == nullptr) return invalid(std::move(known_id), "\"method\" is missing");
  if (!method->is_string()) return invalid(std::move(known_id), "\"method\" must be a string");
  if (has_outcome) return invalid(std::move(known_id), "\"method\" and \"result\" or \"error\" exclude each other");
  if (id != nullptr && !id_is_usable) return invalid(nullptr, "\"id\" must be a string or an integer");

  std::string name = std::move(value["method"].get_ref<json::string_t&>());
  json params = value.contains("params") ? std::move(value["params"]) : json(nullptr);
  if (id == nullptr) return Notification{std::move(name), std::move(params)};
  return Request{std::move(known_id), std::move(name), std::move(params)};
}

json make_result(const json& id, json result) {
  json message = {{"jsonrpc", "2.0"}, {"id", id}};
  message["result"] = std::move(result);
  return message;
}

json make_error(const json& id, const Error& error) {
  json body = {{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) body["data"] = error.data;
  json message = {{"jsonrpc", "2.0"}, {"id", id}};
  message["error"] = std::move(body);
  return message;
}

json make_request(const json& id, std::string_view method, json params) {
  json message = make_notification(method, std::move(params));
  message["id"] = id;
  return message;
}

json make_notification(std::string_view method, json params) {
  json message = {{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  return message;
}

}  // namespace cowork_terminal::jsonrpc
