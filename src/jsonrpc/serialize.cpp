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

// Whose bytes stand in a JSON string as they are, of ASCII.
constexpr bool is_plain(char c) { return as_byte(c) >= 0x20 && as_byte(c) < 0x80 && c != '"' && c != '\\'; }

// The high bit of each byte that is not plain. A subtraction borrows into the high bit of a byte that is too small:
// above the first such byte there may be false alarms, below it none.
std::uint64_t bits_of_special_bytes(std::uint64_t word) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  constexpr std::uint64_t high_bits = ones * 0x80;
  const std::uint64_t quotes = word ^ (ones * '"');
  const std::uint64_t backslashes = word ^ (ones * '\\');
  return (word | (word - ones * 0x20) | (quotes - ones) | (backslashes - ones)) & high_bits;
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

struct Escape {
  std::array<char, 6> text;
  std::size_t size;
};

constexpr Escape escape_of(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (c) {
    case '\b':
      return {{'\\', 'b'}, 2};
    case '\f':
      return {{'\\', 'f'}, 2};
    case '\n':
      return {{'\\', 'n'}, 2};
    case '\r':
      return {{'\\', 'r'}, 2};
    case '\t':
      return {{'\\', 't'}, 2};
    case '"':
    case '\\':
      return {{'\\', c}, 2};
    default:
      return {{'\\', 'u', '0', '0', digits[as_byte(c) >> 4], digits[as_byte(c) & 0xF]}, 6};
  }
}

// Of all ASCII characters that are not plain.
constexpr auto escapes = [] {
  std::array<Escape, 0x80> table{};
  for (std::size_t c = 0; c < table.size(); ++c) table[c] = escape_of(static_cast<char>(c));
  return table;
}();

// Writes the start of a text, escaped, into a block of memory: an append for each run between two escapes would cost
// more than all the rest.
class EscapedBlock {
 public:
  // What is left of the text when the block is full.
  std::string_view fill(std::string_view text) {
    end_ = block_.data();
    const char* const full = block_.data() + block_.size() - longest_step;
    while (!text.empty() && end_ <= full) text.remove_prefix(text.size() < word_size ? step(text) : word_step(text));
    return text;
  }
  [[nodiscard]] std::string_view bytes() const {
    return {block_.data(), static_cast<std::size_t>(end_ - block_.data())};
  }

 private:
  static constexpr std::size_t word_size = sizeof(std::uint64_t);
  static constexpr std::size_t longest_step = word_size + 6;

  void write(const char* from, std::size_t size) {
    std::memcpy(end_, from, size);
    end_ += size;
  }

  // Each of them returns how many bytes of `text` it has written.
  std::size_t word_step(std::string_view text) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), word_size);
    std::memcpy(end_, &word, word_size);  // whole: what is not plain is overwritten
    const std::uint64_t special = bits_of_special_bytes(word);
    std::size_t plain = word_size;
    if (special != 0) {
      plain = std::endian::native == std::endian::little ? static_cast<std::size_t>(std::countr_zero(special)) / 8 : 0;
    }
    end_ += plain;
    return plain == word_size ? plain : plain + step(text.substr(plain));
  }

  std::size_t step(std::string_view text) {
    const unsigned char first = as_byte(text.front());
    if (first >= 0x80) return multibyte_step(text);
    if (is_plain(text.front())) {
      *end_++ = text.front();
    } else {
      write(escapes[first].text.data(), escapes[first].size);
    }
    return 1;
  }

  std::size_t multibyte_step(std::string_view text) {
    const Sequence sequence = multibyte_sequence(text);
    if (sequence.well_formed) {
      write(text.data(), sequence.length);
    } else {
      write(replacement_character.data(), replacement_character.size());
    }
    return sequence.length;
  }

  std::array<char, 4'096> block_;  // not initialised: written before it is read
  char* end_ = block_.data();
};

template <class Output>
void append_escaped(Output& output, std::string_view text) {
  EscapedBlock block;
  while (!text.empty()) {
    text = block.fill(text);
    output.append(block.bytes());
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

// Whose strings are escaped once more on their way into another string.
template <class Output>
class EscapingWriter {
 public:
  explicit EscapingWriter(Output& output) : output_(output) {}
  void append(std::string_view bytes) { append_escaped(output_, bytes); }

 private:
  Output& output_;
};

template <class Output>
constexpr bool is_escaping = false;
template <class Output>
constexpr bool is_escaping<EscapingWriter<Output>> = true;

// The value that a text_of() stands for in the message `root`.
const json& referred_value(const json& reference, const json& root) {
  static const json nothing;
  const auto& bytes = reference.get_binary();
  const json::json_pointer place{std::string(bytes.begin(), bytes.end())};
  return root.contains(place) ? root.at(place) : nothing;
}

template <class Output>
void append_value(Output& output, const json& value, const json& root);

template <class Output>
void append_object(Output& output, const json& object, const json& root) {
  std::string_view separator = "{";
  for (const auto& [key, member] : object.get_ref<const json::object_t&>()) {
    output.append(separator);
    append_string(output, key);
    output.append(":");
    append_value(output, member, root);
    separator = ",";
  }
  output.append(object.empty() ? "{}" : "}");
}

template <class Output>
void append_array(Output& output, const json& array, const json& root) {
  std::string_view separator = "[";
  for (const json& element : array.get_ref<const json::array_t&>()) {
    output.append(separator);
    append_value(output, element, root);
    separator = ",";
  }
  output.append(array.empty() ? "[]" : "]");
}

template <class Output>
void append_text_of(Output& output, const json& value, const json& root) {
  output.append("\"");
  EscapingWriter<Output> writer{output};
  // A reference within it is null, so that there are no circles.
  append_value(writer, value, root);
  output.append("\"");
}

template <class Output>
void append_value(Output& output, const json& value, const json& root) {
  switch (value.type()) {
    case json::value_t::object:
      return append_object(output, value, root);
    case json::value_t::array:
      return append_array(output, value, root);
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
    case json::value_t::binary:
      if constexpr (!is_escaping<Output>) return append_text_of(output, referred_value(value, root), root);
      break;
    case json::value_t::null:
    case json::value_t::discarded:
      break;
  }
  output.append("null");
}

// Enough for text with a few escapes, without reading it: counting exactly would be a second pass over all of it.
std::size_t likely_size(const json& value, const json& root) {
  constexpr std::size_t punctuation = 8;
  if (value.is_string()) {
    const auto size = value.get_ref<const json::string_t&>().size();
    return size + size / 8 + punctuation;
  }
  if (value.is_binary()) {
    const json& referred = referred_value(value, root);
    const auto size = referred.is_binary() ? 0 : likely_size(referred, nullptr);
    return size + size / 8 + punctuation;
  }
  std::size_t size = 3 * punctuation;
  if (value.is_object()) {
    for (const auto& [key, member] : value.get_ref<const json::object_t&>()) {
      size += key.size() + likely_size(member, root);
    }
  } else if (value.is_array()) {
    for (const json& element : value.get_ref<const json::array_t&>()) size += likely_size(element, root);
  }
  return size;
}

}  // namespace

std::string serialize(const json& value) {
  std::string text;
  text.reserve(likely_size(value, value));
  TextWriter writer{text};
  append_value(writer, value, value);
  return text;
}

json text_of(std::string_view place) { return json::binary({place.begin(), place.end()}); }

std::size_t serialized_size(const json& value) {
  SizeCounter counter;
  append_value(counter, value, value);
  return counter.size();
}

std::size_t escaped_size(std::string_view text) {
  SizeCounter counter;
  append_escaped(counter, text);
  return counter.size();
}

}  // namespace cowork_terminal::jsonrpc
