#include <algorithm>
#include <bit>
#include <cowork_terminal/process/output_capture.hpp>
#include <cstdint>
#include <cstring>
#include <utility>

namespace cowork_terminal::process {

namespace {

// The sizes in which a kept text grows, before it takes room for all that it may become.
constexpr std::size_t small = 32 * 1'024;
constexpr std::size_t middling = 128 * 1'024;
constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

std::uint8_t byte_at(std::string_view text, std::size_t position) { return static_cast<std::uint8_t>(text[position]); }

bool is_continuation(std::uint8_t byte) { return (byte & 0xC0U) == 0x80U; }

struct Sequence {
  enum class Kind { whole, unfinished, ill_formed };
  Kind kind;
  std::size_t size;  // of the character, or of the maximal ill-formed subpart
};

// What the first byte asks for: Unicode 15, table 3-7.
struct Lead {
  std::size_t size;  // 0: starts no character
  std::uint8_t lowest_second;
  std::uint8_t highest_second;
};

constexpr Lead lead_of(std::uint8_t byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// The first character of `text`, which is not empty.
Sequence first_sequence(std::string_view text) {
  const Lead lead = lead_of(byte_at(text, 0));
  if (lead.size == 0) return {Sequence::Kind::ill_formed, 1};
  for (std::size_t i = 1; i < lead.size; ++i) {
    if (i == text.size()) return {Sequence::Kind::unfinished, i};
    const std::uint8_t byte = byte_at(text, i);
    const bool fits = i == 1 ? byte >= lead.lowest_second && byte <= lead.highest_second : is_continuation(byte);
    if (!fits) return {Sequence::Kind::ill_formed, i};
  }
  return {Sequence::Kind::whole, lead.size};
}

std::size_t ascii_prefix(std::string_view text) {
  std::size_t size = 0;
  for (std::uint64_t word = 0; text.size() - size >= sizeof word; size += sizeof word) {
    std::memcpy(&word, text.data() + size, sizeof word);
    if ((word & 0x8080'8080'8080'8080U) != 0) break;
  }
  while (size < text.size() && byte_at(text, size) < 0x80) ++size;
  return size;
}

std::size_t well_formed_prefix(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size()) {
    if (const std::size_t ascii = ascii_prefix(text.substr(size)); ascii > 0) {
      size += ascii;
      continue;
    }
    const Sequence sequence = first_sequence(text.substr(size));
    if (sequence.kind != Sequence::Kind::whole) break;
    size += sequence.size;
  }
  return size;
}

// Pages that are not written to cost nothing, and growing in many steps would write most of them twice.
std::size_t room_for(std::size_t needed, std::size_t limit) {
  if (needed <= small) return std::min(std::bit_ceil(needed), limit);
  return needed <= middling ? std::min(middling, limit) : limit;
}

}  // namespace

OutputCapture::OutputCapture(std::size_t limit) : limit_(limit) {}

void OutputCapture::append(std::string_view bytes) {
  total_bytes_ += bytes.size();
  if (truncated_) return;
  if (resuming_) bytes.remove_prefix(rest_of_cut_character(bytes));
  bytes.remove_prefix(finish_pending(bytes));

  while (!bytes.empty() && !truncated_) {
    const std::size_t well_formed = well_formed_prefix(bytes);
    keep(bytes.substr(0, well_formed));
    bytes.remove_prefix(well_formed);
    if (bytes.empty()) return;

    const Sequence sequence = first_sequence(bytes);
    if (sequence.kind == Sequence::Kind::unfinished) {
      pending_size_ = bytes.copy(pending_, sizeof pending_);
      return;
    }
    keep(replacement_character);
    bytes.remove_prefix(sequence.size);
  }
}

// After a cut nothing is decoded any more, so reading may go on within a character whose start was left out.
std::size_t OutputCapture::rest_of_cut_character(std::string_view bytes) {
  std::size_t size = 0;
  while (size < bytes.size() && resuming_ > 0 && is_continuation(byte_at(bytes, size))) {
    ++size;
    --resuming_;
  }
  if (size < bytes.size()) resuming_ = 0;
  return size;
}

std::size_t OutputCapture::finish_pending(std::string_view bytes) {
  std::size_t used = 0;
  while (pending_size_ > 0 && used < bytes.size()) {
    pending_[pending_size_] = bytes[used];
    const std::string_view pending(pending_, pending_size_ + 1);
    const Sequence sequence = first_sequence(pending);
    if (sequence.kind == Sequence::Kind::ill_formed) {
      pending_size_ = 0;
      keep(replacement_character);
      break;
    }
    ++used;
    ++pending_size_;
    if (sequence.kind == Sequence::Kind::whole) {
      pending_size_ = 0;
      keep(pending);
    }
  }
  return used;
}

void OutputCapture::keep(std::string_view valid) {
  if (truncated_ || valid.empty()) return;
  const std::size_t room = limit_ - text_.size();
  if (valid.size() > room) {
    truncated_ = true;
    std::size_t size = room;
    while (size > 0 && is_continuation(byte_at(valid, size))) --size;
    valid = valid.substr(0, size);
  }
  const std::size_t needed = text_.size() + valid.size();
  if (needed > text_.capacity()) text_.reserve(room_for(needed, limit_));
  text_.append(valid);
}

CapturedOutput OutputCapture::take() { return move_out(); }

CapturedOutput OutputCapture::finish() {
  if (std::exchange(pending_size_, 0) > 0) keep(replacement_character);
  return move_out();
}

CapturedOutput OutputCapture::move_out() {
  CapturedOutput output{std::exchange(text_, {}), truncated_, total_bytes_ - taken_bytes_, {}};
  if (std::exchange(truncated_, false)) {
    pending_size_ = 0;
    resuming_ = 3;
  }
  taken_bytes_ = total_bytes_;
  return output;
}

}  // namespace cowork_terminal::process
