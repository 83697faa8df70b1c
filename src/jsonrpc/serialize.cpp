#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cowork_terminal/jsonrpc/serialize.hpp>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

namespace cowork_terminal::jsonrpc {
namespace {

using nlohmann::json;

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

class SizeCounter {
 public:
  void append(std::string_view bytes) { size_ += bytes.size(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

class TextWriter {
 public:
  explicit TextWriter(std::string& text) : text_(text) {}
  void append(std::string_view bytes) { text_.append(bytes); }

 private:
  std::string& text_;
};

constexpr unsigned char as_byte(char c) { return static_cast<unsigned char>(c); }

constexpr bool is_plain(char c) { return as_byte(c) >= 0x20 && as_byte(c) < 0x80 && c != '"' && c != '\\'; }

// Whether each of eight bytes is_plain().
bool all_plain(std::uint64_t word) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  constexpr std::uint64_t high_bits = ones * 0x80;
  const std::uint64_t quotes = word ^ (ones * '"');
  const std::uint64_t backslashes = word ^ (ones * '\\');
  // A subtraction borrows into the high bit of a byte that is too small; false alarms arise only above a true one.
  return ((word | (word - ones * 0x20) | (quotes - ones) | (backslashes - ones)) & high_bits) == 0;
}

std::size_t plain_length(std::string_view text) {
  std::size_t length = 0;
  for (std::uint64_t word = 0; length + sizeof word <= text.size(); length += sizeof word) {
    std::memcpy(&word, text.data() + length, sizeof word);
    if (!all_plain(word)) break;
  }
  while (length < text.size() && is_plain(text[length])) ++length;
  return length;
}

// Unicode, table 3-7: well-formed UTF-8 byte sequences, by their first byte.
struct LeadByte {
  unsigned char length;  // of the sequence; 0 if none starts so
  unsigned char lowest_second;
  unsigned char highest_second;
};

constexpr LeadByte lead_byte(unsigned byte) {
  if (byte < 0xC2 || byte > 0xF4) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {4, 0x80, 0xBF};
}

constexpr auto lead_bytes = [] {
  std::array<LeadByte, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) table[byte] = lead_byte(byte);
  return table;
}();

constexpr bool is_continuation(char c) { return (as_byte(c) & 0xC0) == 0x80; }

struct Sequence {
  std::size_t length;
  bool well_formed;
};

// The character or maximal ill-formed subpart at the start of `text`, whose first byte is not ASCII.
Sequence multibyte_sequence(std::string_view text) {
  const LeadByte lead = lead_bytes[as_byte(text[0])];
  if (lead.length == 0 || text.size() < 2) return {1, false};
  if (as_byte(text[1]) < lead.lowest_second || as_byte(text[1]) > lead.highest_second) return {1, false};
  std::size_t length = 2;
  while (length < lead.length && length < text.size() && is_continuation(text[length])) ++length;
  return {length, length == lead.length};
}

// Bytes at the start of `text` that stand in a JSON string as they are.
std::size_t verbatim_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    length += plain_length(text.substr(length));
    while (length < text.size() && as_byte(text[length]) >= 0x80) {
      const Sequence sequence = multibyte_sequence(text.substr(length));
      if (!sequence.well_formed) return length;
      length += sequence.length;
    }
    if (length < text.size() && !is_plain(text[length])) return length;
  }
  return length;
}

template <class Output>
void append_escape(Output& output, char c) {
  switch (c) {
    case '"':
      return output.append("\\\"");
    case '\\':
      return output.append("\\\\");
    case '\b':
      return output.append("\\b");
    case '\f':
      return output.append("\\f");
    case '\n':
      return output.append("\\n");
    case '\r':
      return output.append("\\r");
    case '\t':
      return output.append("\\t");
    default:
      break;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  const std::array<char, 6> escape{'\\', 'u', '0', '0', digits[as_byte(c) >> 4], digits[as_byte(c) & 0xF]};
  output.append({escape.data(), escape.size()});
}

template <class Output>
void append_escaped(Output& output, std::string_view text) {
  for (;;) {
    const std::size_t length = verbatim_length(text);
    output.append(text.substr(0, length));
    text.remove_prefix(length);
    if (text.empty()) return;
    if (as_byte(text.front()) < 0x80) {
      append_escape(output, text.front());
      text.remove_prefix(1);
    } else {
      output.append(replacement_character);
      text.remove_prefix(multibyte_sequence(text).length);
    }
  }
}

template <class Output>
void append_string(Output& output, std::string_view text) {
  output.append("\"");
  append_escaped(output, text);
  output.append("\"");
}

template <class Output, class Integer>
void append_integer(Output& output, Integer number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  output.append({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

template <class Output>
void append_value(Output& output, const json& value);

template <class Output>
void append_object(Output& output, const json& object) {
  std::string_view separator = "{";
  for (const auto& [key, member] : object.get_ref<const json::object_t&>()) {
    output.append(separator);
    append_string(output, key);
    output.append(":");
    append_value(output, member);
    separator = ",";
  }
  output.append(object.empty() ? "{}" : "}");
}

template <class Output>
void append_array(Output& output, const json& array) {
  std::string_view separator = "[";
  for (const json& element : array.get_ref<const json::array_t&>()) {
    output.append(separator);
    append_value(output, element);
    separator = ",";
  }
  output.append(array.empty() ? "[]" : "]");
}

template <class Output>
void append_value(Output& output, const json& value) {
  switch (value.type()) {
    case json::value_t::object:
      return append_object(output, value);
    case json::value_t::array:
      return append_array(output, value);
    case json::value_t::string:
      return append_string(output, value.get_ref<const json::string_t&>());
    case json::value_t::boolean:
      return output.append(value.get<bool>() ? "true" : "false");
    case json::value_t::number_integer:
      return append_integer(output, value.get<json::number_integer_t>());
    case json::value_t::number_unsigned:
      return append_integer(output, value.get<json::number_unsigned_t>());
    // The shortest text that reads back the same, which not every standard library's to_chars can write.
    case json::value_t::number_float:
      return output.append(value.dump());
    case json::value_t::null:
    case json::value_t::binary:
    case json::value_t::discarded:
      break;
  }
  output.append("null");
}

// Enough for text with a few escapes, without reading it: counting exactly would be a second pass over all of it.
std::size_t likely_size(const json& value) {
  constexpr std::size_t punctuation = 8;
  if (value.is_string()) {
    const auto size = value.get_ref<const json::string_t&>().size();
    return size + size / 8 + punctuation;
  }
  std::size_t size = 3 * punctuation;
  if (value.is_object()) {
    for (const auto& [key, member] : value.get_ref<const json::object_t&>()) size += key.size() + likely_size(member);
  } else if (value.is_array()) {
    for (const json& element : value.get_ref<const json::array_t&>()) size += likely_size(element);
  }
  return size;
}

}  // namespace

std::string serialize(const json& value) {
  std::string text;
  text.reserve(likely_size(value));
  TextWriter writer{text};
  append_value(writer, value);
  return text;
}

std::size_t serialized_size(const json& value) {
  SizeCounter counter;
  append_value(counter, value);
  return counter.size();
}

std::size_t escaped_size(std::string_view text) {
  SizeCounter counter;
  append_escaped(counter, text);
  return counter.size();
}

}  // namespace cowork_terminal::jsonrpc
