#include "jsonrpc/escaped_block.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace cowork_terminal::jsonrpc {
namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

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

constexpr std::size_t word_size = sizeof(std::uint64_t);
constexpr std::size_t longest_step = word_size + 6;

// Writes at `end`. Each step returns how many bytes of `text` it has written.
class Escaper {
 public:
  explicit Escaper(char* end) : end_(end) {}

  [[nodiscard]] const char* end() const { return end_; }

  // The plain bytes that a word begins with.
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
    return plain;
  }

  // One character.
  std::size_t step(std::string_view text) {
    const unsigned char first = as_byte(text.front());
    if (first >= 0x80) return multibyte_step(text);
    if (is_plain(text.front())) {
      *end_++ = text.front();
    } else {
      write({escapes[first].text.data(), escapes[first].size});
    }
    return 1;
  }

 private:
  void write(std::string_view bytes) {
    std::memcpy(end_, bytes.data(), bytes.size());
    end_ += bytes.size();
  }

  std::size_t multibyte_step(std::string_view text) {
    const Sequence sequence = multibyte_sequence(text);
    write(sequence.well_formed ? text.substr(0, sequence.length) : replacement_character);
    return sequence.length;
  }

  char* end_;
};

}  // namespace

std::string_view EscapedBlock::fill(std::string_view text) {
  Escaper escaper{block_.data()};
  const char* const full = block_.data() + block_.size() - longest_step;
  while (!text.empty() && escaper.end() <= full) {
    if (text.size() >= word_size) {
      const std::size_t plain = escaper.word_step(text);
      text.remove_prefix(plain);
      if (plain == word_size) continue;
    }
    text.remove_prefix(escaper.step(text));
  }
  size_ = static_cast<std::size_t>(escaper.end() - block_.data());
  return text;
}

}  // namespace cowork_terminal::jsonrpc
