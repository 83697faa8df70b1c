#include "registration/toml_parser.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "registration/toml_string.hpp"

namespace cowork_terminal::registration {
namespace {

class TomlParser {
 public:
  explicit TomlParser(std::string_view text) : text_(text) {}

  std::vector<TomlStatement> parse() {
    std::vector<TomlStatement> statements;
    while (at_ < text_.size()) {
      const std::size_t line = at_;
      skip_blanks();
      if (!at_line_end() && peek() != '#') {
        statements.push_back(peek() == '[' ? header() : assignment());
        statements.back().lines.begin = line;
      }
      end_line();
      if (!statements.empty() && statements.back().lines.end == 0) statements.back().lines.end = at_;
    }
    return statements;
  }

 private:
  [[noreturn]] void fail(std::size_t offset, const std::string& reason) const {
    throw DocumentError(text_, offset, reason);
  }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  [[nodiscard]] bool at_line_end() const {
    return at_ >= text_.size() || text_[at_] == '\n' || text_.substr(at_).starts_with("\r\n");
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }

  void skip_comment() {
    while (!at_line_end()) {
      if (text_[at_] == '\r') fail(at_, "a carriage return without a line feed");
      ++at_;
    }
  }

  void end_line() {
    skip_blanks();
    if (peek() == '#') skip_comment();
    if (!at_line_end()) fail(at_, "the line must end here");
    if (at_ < text_.size()) at_ = text_.find('\n', at_) + 1;
  }

  // Blanks, comments and line breaks between the elements of a list.
  void skip_trivia() {
    while (true) {
      skip_blanks();
      if (peek() == '#') {
        skip_comment();
      } else if (at_ < text_.size() && at_line_end()) {
        at_ = text_.find('\n', at_) + 1;
      } else {
        return;
      }
    }
  }

  TomlStatement header() {
    TomlStatement statement;
    const bool array = text_.substr(at_).starts_with("[[");
    statement.kind = array ? TomlStatement::Kind::array_of_tables : TomlStatement::Kind::table;
    const std::string_view closing = array ? "]]" : "]";
    at_ += closing.size();
    read_key(statement);
    if (!text_.substr(at_).starts_with(closing)) fail(at_, std::string(closing) + " must be here");
    at_ += closing.size();
    return statement;
  }

  TomlStatement assignment() {
    TomlStatement statement;
    read_key(statement);
    if (peek() != '=') fail(at_, "= must follow the key");
    ++at_;
    skip_blanks();
    statement.value = value(0);
    return statement;
  }

  void read_key(TomlStatement& statement) {
    skip_blanks();
    statement.key_range.begin = at_;
    while (true) {
      statement.key.push_back(key_part());
      statement.key_range.end = at_;
      skip_blanks();
      if (peek() != '.') return;
      ++at_;
      skip_blanks();
    }
  }

  std::string key_part() {
    if (peek() == '"' || peek() == '\'') {
      if (text_.substr(at_).starts_with("\"\"\"") || text_.substr(at_).starts_with("'''"))
        fail(at_, "a key must be here");
      return string();
    }
    const std::size_t begin = at_;
    while (is_bare_key_character(peek())) ++at_;
    if (at_ == begin) fail(at_, "a key must be here");
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string string() {
    const TomlString string = read_toml_string(text_, at_);
    at_ = string.end;
    return string.text;
  }

  TomlValue value(int depth) {
    if (depth > deepest_nesting) fail(at_, "more than " + std::to_string(deepest_nesting) + " levels of brackets");
    TomlValue result;
    result.range.begin = at_;
    if (peek() == '"' || peek() == '\'') {
      result.text = string();
    } else if (peek() == '[') {
      result.list = list(depth);
    } else if (peek() == '{') {
      skip_inline_table(depth);
    } else {
      skip_scalar();
    }
    result.range.end = at_;
    return result;
  }

  std::vector<TomlValue> list(int depth) {
    const std::size_t opening = at_++;
    std::vector<TomlValue> elements;
    for (skip_trivia(); peek() != ']'; skip_trivia()) {
      if (at_ >= text_.size()) fail(opening, "this [ is never closed");
      elements.push_back(value(depth + 1));
      skip_trivia();
      if (peek() == ',') {
        ++at_;
      } else if (peek() != ']' && at_ < text_.size()) {
        fail(at_, "a comma or ] must be here");
      }
    }
    ++at_;
    return elements;
  }

  void skip_inline_table(int depth) {
    const std::size_t opening = at_++;
    for (skip_trivia(); peek() != '}'; skip_trivia()) {
      if (at_ >= text_.size()) fail(opening, "this { is never closed");
      TomlStatement statement;
      read_key(statement);
      if (peek() != '=') fail(at_, "= must follow the key");
      ++at_;
      skip_blanks();
      value(depth + 1);
      skip_trivia();
      if (peek() == ',') {
        ++at_;
      } else if (peek() != '}' && at_ < text_.size()) {
        fail(at_, "a comma or } must be here");
      }
    }
    ++at_;
  }

  void skip_scalar() {
    const std::size_t begin = at_;
    while (is_bare_key_character(peek()) || peek() == '+' || peek() == '.' || peek() == ':') ++at_;
    if (at_ == begin) fail(at_, "a value must be here");
    // A date and a time of day may have a blank between them.
    const bool date = at_ - begin == 10 && text_[begin + 4] == '-' && peek() == ' ';
    if (date && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9') {
      ++at_;
      skip_scalar();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<std::string>> TomlValue::texts() const {
  if (!list) return std::nullopt;
  std::vector<std::string> result;
  for (const TomlValue& element : *list) {
    if (!element.text) return std::nullopt;
    result.push_back(*element.text);
  }
  return result;
}

std::vector<TomlStatement> parse_toml(std::string_view text) { return TomlParser(text).parse(); }

std::string format_toml_key(const std::string& part) {
  const bool bare = !part.empty() && std::all_of(part.begin(), part.end(), is_bare_key_character);
  return bare ? part : format_toml(part);
}

std::string format_toml(const std::vector<std::string>& texts) {
  std::string result = "[";
  for (const std::string& text : texts) result += (result.size() == 1 ? "" : ", ") + format_toml(text);
  return result + "]";
}

}  // namespace cowork_terminal::registration
