#include <cowork_terminal/jsonrpc/message.hpp>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <variant>

#include "jsonrpc/oversized_line_scanner.hpp"

using namespace cowork_terminal::jsonrpc;
using nlohmann::json;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

void demand_same_after_serializing(const json& value) {
  const std::string text = serialize(value);
  demand(text == value.dump());
  demand(serialized_size(value) == text.size());
}

// What the scanner of oversized lines finds is what the parser finds.
void demand_same_id(std::string_view line, const json& value) {
  OversizedLineScanner scanner;
  scanner.feed(line);
  const json id = value.is_object() && value.contains("id") ? value["id"] : json(nullptr);
  const bool is_usable = (id.is_string() || id.is_number_integer()) && serialized_size(id) <= max_id_size;
  // A short id whose text was long because of its escapes may be missed.
  const json found = scanner.id();
  demand(found == (is_usable ? id : json(nullptr)) || (found.is_null() && line.size() > max_id_size));
}

void demand_sound(const Message& message) {
  if (const auto* request = std::get_if<Request>(&message)) {
    demand(request->id.is_string() || request->id.is_number_integer());
    demand_same_after_serializing(make_result(request->id, request->params));
  } else if (const auto* invalid = std::get_if<Invalid>(&message)) {
    demand(invalid->error.code == -32600);
    demand_same_after_serializing(make_error(invalid->id, invalid->error));
  } else if (const auto* ignored = std::get_if<Ignored>(&message)) {
    demand(!ignored->reason.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line{reinterpret_cast<const char*>(data), size};
  // Any bytes make a valid string.
  demand(json::accept(serialize(json(line))));
  demand(escaped_size(line) + 2 == serialize(json(line)).size());

  auto parsed = parse_line(line);
  if (const auto* error = std::get_if<Error>(&parsed)) {
    demand(error->code == -32700 || error->code == -32600);
    return 0;
  }
  json& value = std::get<json>(parsed);
  demand_same_after_serializing(value);
  demand_same_id(line, value);
  if (value.is_array()) {
    for (json& element : value) demand_sound(to_message(std::move(element)));
  } else {
    demand_sound(to_message(std::move(value)));
  }
  return 0;
}
