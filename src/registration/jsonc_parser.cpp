#include "registration/jsonc_parser.hpp"

#include <nlohmann/json.hpp>

namespace cowork_terminal::registration {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class JsoncParser {
 public:
  explicit JsoncParser(std::string_view text) : text_(text) {}

  JsoncDocument parse() {
    skip_trivia();
    if (at_ < text_.size()) {
      document_.root = value(0);
      skip_trivia();
      if (at_ < text_.size()) fail(at_, "text follows the end of the JSON value; a bracket may be closed too early");
    }
    return std::move(document_);
  }

 private:
  [[noreturn]] void fail(std::size_t offset, const std::string& reason) const {
    throw DocumentError(text_, offset, reason);
  }

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void note_extra(std::size_t offset) {
    if (!document_.first_extra) document_.first_extra = offset;
  }

  void skip_trivia() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        note_extra(at_);
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
      } else if (c == '/' && peek(1) == '*') {
        note_extra(at_);
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) fail(at_, "this comment is never closed");
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  JsoncValue value(int depth) {
    if (depth > deepest_nesting) fail(at_, "more than " + std::to_string(deepest_nesting) + " levels of brackets");
    const char c = peek();
    if (c == '{') return object(depth);
    if (c == '[') return array(depth);
    if (c == '"') return {JsoncValue::Kind::string, string(), {}, {}};
    if (c == '-' || is_digit(c)) return {JsoncValue::Kind::number, number(), {}, {}};
    if (is_letter(c)) return {JsoncValue::Kind::literal, literal(), {}, {}};
    if (at_ >= text_.size()) fail(at_, "the file ends where a value must be");
    fail(at_, "a value must be here");
  }

  JsoncValue object(int depth) {
    JsoncValue result{JsoncValue::Kind::object, {at_, at_}, {}, {}};
    const std::size_t opening = at_++;
    for (skip_trivia(); peek() != '}'; skip_trivia()) {
      if (at_ >= text_.size()) fail(opening, "this { is never closed");
      result.members.push_back(member(depth));
      skip_trivia();
      if (peek() == ',') {
        result.members.back().comma = at_++;
      } else if (peek() != '}' && at_ < text_.size()) {
        fail(at_, "a comma or } must be here");
      }
    }
    if (!result.members.empty() && result.members.back().comma) note_extra(*result.members.back().comma);
    result.range.end = ++at_;
    return result;
  }

  JsoncMember member(int depth) {
    if (peek() != '"') fail(at_, "a key in double quotes must be here");
    JsoncMember result;
    result.key_range = string();
    result.key = decoded(result.key_range);
    skip_trivia();
    if (peek() != ':') fail(at_, "a colon must follow the key");
    ++at_;
    skip_trivia();
    result.value = value(depth + 1);
    return result;
  }

  JsoncValue array(int depth) {
    JsoncValue result{JsoncValue::Kind::array, {at_, at_}, {}, {}};
    const std::size_t opening = at_++;
    std::optional<std::size_t> comma;
    for (skip_trivia(); peek() != ']'; skip_trivia()) {
      if (at_ >= text_.size()) fail(opening, "this [ is never closed");
      result.elements.push_back(value(depth + 1));
      skip_trivia();
      comma.reset();
      if (peek() == ',') {
        comma = at_++;
      } else if (peek() != ']' && at_ < text_.size()) {
        fail(at_, "a comma or ] must be here");
      }
    }
    if (comma) note_extra(*comma);
    result.range.end = ++at_;
    return result;
  }

  TextRange string() {
    const std::size_t begin = at_++;
    while (peek() != '"') {
      if (at_ >= text_.size()) fail(begin, "this string is never closed");
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail(at_, "a line break or control character in a string");
      if (text_[at_] == '\\') escape();
      ++at_;
    }
    return {begin, ++at_};
  }

  void escape() {
    const std::size_t begin = at_++;
    if (peek() == 'u') {
      for (std::size_t i = 1; i <= 4; ++i) {
        if (!is_hex_digit(peek(i))) fail(begin, "four hexadecimal digits must follow \\u");
      }
      at_ += 4;
    } else if (peek() == '\0' || std::string_view("\"\\/bfnrt").find(peek()) == std::string_view::npos) {
      fail(begin, "no such escape in JSON; a backslash is written \\\\");
    }
  }

  TextRange number() {
    const std::size_t begin = at_;
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
    } else {
      digits(begin);
    }
    if (peek() == '.') {
      ++at_;
      digits(begin);
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits(begin);
    }
    return {begin, at_};
  }

  void digits(std::size_t begin) {
    if (!is_digit(peek())) fail(begin, "this is not a number of JSON");
    while (is_digit(peek())) ++at_;
  }

  TextRange literal() {
    const std::size_t begin = at_;
    while (is_letter(peek())) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word != "true" && word != "false" && word != "null")
      fail(begin, "a value must be here; text needs double quotes");
    return {begin, at_};
  }

  [[nodiscard]] std::string decoded(TextRange range) const {
    const std::string_view token = text_.substr(range.begin, range.end - range.begin);
    const auto json = nlohmann::json::parse(token, nullptr, false);
    // Half a surrogate pair: JavaScript reads it, nlohmann/json does not. It is no key of ours.
    return json.is_string() ? json.get<std::string>() : std::string(token);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  JsoncDocument document_;
};

}  // namespace

const JsoncMember* JsoncValue::find(std::string_view key) const {
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    if (member->key == key) return &*member;
  }
  return nullptr;
}

JsoncDocument parse_jsonc(std::string_view text) { return JsoncParser(text).parse(); }

nlohmann::ordered_json to_json(std::string_view text, const JsoncValue& value) {
  if (value.kind == JsoncValue::Kind::object) {
    auto object = nlohmann::ordered_json::object();
    for (const JsoncMember& member : value.members) object[member.key] = to_json(text, member.value);
    return object;
  }
  if (value.kind == JsoncValue::Kind::array) {
    auto array = nlohmann::ordered_json::array();
    for (const JsoncValue& element : value.elements) array.push_back(to_json(text, element));
    return array;
  }
  const std::string_view token = text.substr(value.range.begin, value.range.end - value.range.begin);
  auto scalar = nlohmann::ordered_json::parse(token, nullptr, false);
  return scalar.is_discarded() ? nlohmann::ordered_json() : scalar;
}

}  // namespace cowork_terminal::registration
