#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registration/document_error.hpp"

namespace cowork_terminal::registration {

struct JsoncMember;

// Where a value and its parts are in the text it was read from.
struct JsoncValue {
  enum class Kind { object, array, string, number, literal };

  Kind kind = Kind::literal;
  TextRange range;
  std::vector<JsoncMember> members;  // of an object, in the order of the text, repeated keys included
  std::vector<JsoncValue> elements;  // of an array

  // The member that readers see: the last one of that key.
  [[nodiscard]] const JsoncMember* find(std::string_view key) const;
};

struct JsoncMember {
  std::string key;
  TextRange key_range;  // with its quotes
  JsoncValue value;
  std::optional<std::size_t> comma;  // the one behind the value
};

struct JsoncDocument {
  std::optional<JsoncValue> root;          // none in a text of blanks and comments
  std::optional<std::size_t> first_extra;  // the first comment or trailing comma: what plain JSON does not allow
};

// JSON with `//` and `/* */` comments and trailing commas. Throws DocumentError.
JsoncDocument parse_jsonc(std::string_view text);

// `value` as read from `text`; a number that no double holds becomes null.
nlohmann::ordered_json to_json(std::string_view text, const JsoncValue& value);

}  // namespace cowork_terminal::registration
