#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registration/document_error.hpp"

namespace cowork_terminal::registration {

// A value as far as we must understand it: text, a list, or anything else (both empty).
struct TomlValue {
  TextRange range;
  std::optional<std::string> text;
  std::optional<std::vector<TomlValue>> list;

  // The texts of a list of texts.
  [[nodiscard]] std::optional<std::vector<std::string>> texts() const;
};

using TomlKey = std::vector<std::string>;  // the parts of a dotted key

struct TomlStatement {
  enum class Kind { table, array_of_tables, assignment };

  Kind kind = Kind::assignment;
  TomlKey key;
  TextRange key_range;
  TextRange lines;  // from the start of its first line to behind its last line break
  TomlValue value;  // of an assignment
};

// The statements of a TOML 1.0 document in their order. Whether they make sense together is not looked at. Throws
// DocumentError.
std::vector<TomlStatement> parse_toml(std::string_view text);

std::string format_toml_key(const std::string& part);
std::string format_toml(const std::string& text);
std::string format_toml(const std::vector<std::string>& texts);

}  // namespace cowork_terminal::registration
