#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cowork_terminal::registration {

// Brackets nested deeper than this are refused: the parsers call themselves.
inline constexpr int deepest_nesting = 200;

// A half-open range of bytes in a text.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A configuration text that is not what it must be, and where: lines and columns count from 1, columns in characters.
class DocumentError : public std::runtime_error {
 public:
  DocumentError(std::string_view text, std::size_t offset, const std::string& reason);

  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] std::size_t column() const { return column_; }

 private:
  struct Position {
    std::size_t line = 1;
    std::size_t column = 1;
  };
  DocumentError(Position position, const std::string& reason);
  static Position position_of(std::string_view text, std::size_t offset);

  std::size_t line_;
  std::size_t column_;
};

// The text without a byte order mark. Throws DocumentError if it is not UTF-8.
std::string_view checked_utf8(std::string_view text);

// The first byte that is not part of well-formed UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

// "\r\n" or "\n", as the text has it at its first line break; "\n" if there is none.
std::string line_break_of(std::string_view text);

}  // namespace cowork_terminal::registration
