#include "registration/document_error.hpp"

namespace cowork_terminal::registration {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

// Length of the well-formed sequence at `at`, 0 if there is none (Unicode, table 3-7).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const unsigned lowest = lead == 0xE0 ? 0xA0U : lead == 0xF0 ? 0x90U : 0x80U;
  const unsigned highest = lead == 0xED ? 0x9FU : lead == 0xF4 ? 0x8FU : 0xBFU;
  const unsigned second = byte_at(text, at + 1);
  if (second < lowest || second > highest) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

}  // namespace

DocumentError::DocumentError(std::string_view text, std::size_t offset, const std::string& reason)
    : DocumentError(position_of(text, offset), reason) {}

DocumentError::DocumentError(Position position, const std::string& reason)
    : std::runtime_error("line " + std::to_string(position.line) + ", column " + std::to_string(position.column) +
                         ": " + reason),
      line_(position.line),
      column_(position.column) {}

DocumentError::Position DocumentError::position_of(std::string_view text, std::size_t offset) {
  Position position;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    const bool lone_return = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    if (text[i] == '\n' || lone_return) {
      ++position.line;
      position.column = 1;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U && text[i] != '\r') {
      ++position.column;
    }
  }
  return position;
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string_view checked_utf8(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw DocumentError(text, 0, "the file is UTF-16; save it as UTF-8");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const std::size_t at = find_invalid_utf8(text); at != std::string_view::npos) {
    throw DocumentError(text, at, "this byte is not UTF-8; save the file as UTF-8");
  }
  return text;
}

std::string line_break_of(std::string_view text) {
  const std::size_t at = text.find('\n');
  return at != std::string_view::npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace cowork_terminal::registration
