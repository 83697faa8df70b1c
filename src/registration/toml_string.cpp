#include "registration/toml_string.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "registration/document_error.hpp"
#include "registration/toml_parser.hpp"

namespace cowork_terminal::registration {
namespace {

void append_utf8(std::string& text, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0U | code_point >> 6U);
    put(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    put(0xE0U | code_point >> 12U);
    put(0x80U | (code_point >> 6U & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  } else {
    put(0xF0U | code_point >> 18U);
    put(0x80U | (code_point >> 12U & 0x3FU));
    put(0x80U | (code_point >> 6U & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  }
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class StringReader {
 public:
  StringReader(std::string_view text, std::size_t begin) : text_(text), begin_(begin), at_(begin) {}

  TomlString read() {
    const char quote = text_[begin_];
    const std::string triple(3, quote);
    const bool many_lines = text_.substr(begin_).starts_with(triple);
    const std::string closing = many_lines ? triple : std::string(1, quote);
    at_ += closing.size();
    if (many_lines) skip_line_break();
    while (!rest().starts_with(closing)) {
      if (at_ >= text_.size()) fail(begin_, "this string is never closed");
      if (!many_lines && (text_[at_] == '\n' || rest().starts_with("\r\n")))
        fail(begin_, "this string is never closed");
      if (quote == '"' && text_[at_] == '\\') {
        read_escape(many_lines);
      } else {
        result_ += text_[at_++];
      }
    }
    // One or two quotes may stand directly before the three that close.
    while (many_lines && at_ + 3 < text_.size() && text_[at_ + 3] == quote) result_ += text_[at_++];
    return {result_, at_ + closing.size()};
  }

 private:
  [[noreturn]] void fail(std::size_t offset, const std::string& reason) const {
    throw DocumentError(text_, offset, reason);
  }

  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }

  void skip_line_break() {
    if (rest().starts_with("\r\n")) {
      at_ += 2;
    } else if (rest().starts_with("\n")) {
      ++at_;
    }
  }

  void read_escape(bool many_lines) {
    static constexpr std::string_view letters = "btnfre\"\\";
    static constexpr std::string_view meanings = "\b\t\n\f\r\x1b\"\\";
    const std::size_t begin = at_++;
    const char letter = at_ < text_.size() ? text_[at_] : '\0';
    if (const std::size_t known = letters.find(letter); known != std::string_view::npos) {
      result_ += meanings[known];
      ++at_;
    } else if (letter == 'u' || letter == 'U') {
      ++at_;
      read_code_point(begin, letter == 'u' ? 4 : 8);
    } else if (many_lines && (letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n')) {
      at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    } else {
      fail(begin, "no such escape in TOML; write \\\\, or put the text in single quotes");
    }
  }

  void read_code_point(std::size_t begin, int digits) {
    std::uint32_t code_point = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
      const int digit = at_ < text_.size() ? hex_value(text_[at_]) : -1;
      if (digit < 0) fail(begin, "hexadecimal digits are missing in this escape");
      code_point = code_point << 4U | static_cast<std::uint32_t>(digit);
    }
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) fail(begin, "no such character");
    append_utf8(result_, code_point);
  }

  std::string_view text_;
  std::size_t begin_;
  std::size_t at_;
  std::string result_;
};

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }

}  // namespace

TomlString read_toml_string(std::string_view text, std::size_t begin) { return StringReader(text, begin).read(); }

bool is_bare_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

std::string format_toml(const std::string& text) {
  bool control = false;
  for (const char c : text) control = control || is_control(c);
  const bool needs_escape = text.find_first_of("\"\\") != std::string::npos;
  if (needs_escape && !control && text.find('\'') == std::string::npos) return "'" + text + "'";

  static constexpr std::string_view hex = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char c : text) {
    if (is_control(c)) {
      const auto byte = static_cast<unsigned char>(c);
      result += std::string("\\u00") + hex[byte >> 4U] + hex[byte & 0xFU];
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + '"';
}

}  // namespace cowork_terminal::registration
