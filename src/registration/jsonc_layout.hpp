#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "registration/jsonc_parser.hpp"

namespace cowork_terminal::registration {

// How a JSON text is laid out, so that what we add looks as if it had always been there.
struct JsoncLayout {
  std::string line_break = "\n";
  std::string indent = "  ";  // of one level
  std::string colon = ": ";
  std::string comma = ", ";  // between two things on one line
  std::string padding;       // between a brace and what it holds, on one line
  bool object_on_lines = true;
  bool array_on_lines = false;
};

// The layout for something new in `object`: that of its neighbours, else of the rest of the text.
JsoncLayout layout_for(std::string_view text, const JsoncDocument& document, const JsoncValue& object);

// `value` in that layout, its first line without indentation and its further lines below a line indented by `margin`.
std::string format_json(const nlohmann::ordered_json& value, const JsoncLayout& layout, const std::string& margin);

// The blanks that the line of `offset` begins with.
std::string margin_of_line(std::string_view text, std::size_t offset);
// Only blanks stand before `offset` on its line.
bool starts_its_line(std::string_view text, std::size_t offset);
// A line break stands between the braces, outside of the values.
bool is_on_lines(std::string_view text, const JsoncValue& container);
// The end of the blanks and comments that begin on the line of `offset`, without the line break itself.
std::size_t end_of_comments_on_line(std::string_view text, std::size_t offset);

}  // namespace cowork_terminal::registration
