#include "jsonrpc/line_splitter.hpp"

#include <utility>

namespace cowork_terminal::jsonrpc {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

std::deque<InputLine> LineSplitter::feed(std::string_view bytes) {
  std::deque<InputLine> lines;
  bytes = without_byte_order_mark(bytes);
  for (;;) {
    const std::size_t length = bytes.find('\n');
    append(bytes.substr(0, length));
    if (length == std::string_view::npos) return lines;
    end_line(lines);
    bytes.remove_prefix(length + 1);
  }
}

std::deque<InputLine> LineSplitter::finish() {
  std::deque<InputLine> lines;
  if (std::exchange(at_start_, false)) line_.append(byte_order_mark.substr(0, mark_bytes_));
  end_line(lines);
  return lines;
}

std::string_view LineSplitter::without_byte_order_mark(std::string_view bytes) {
  while (at_start_ && !bytes.empty()) {
    if (bytes.front() != byte_order_mark[mark_bytes_]) {
      // It was none after all.
      at_start_ = false;
      line_.append(byte_order_mark.substr(0, mark_bytes_));
      return bytes;
    }
    bytes.remove_prefix(1);
    at_start_ = ++mark_bytes_ < byte_order_mark.size();
  }
  return bytes;
}

void LineSplitter::append(std::string_view bytes) {
  if (bytes.empty()) return;
  if (skipping_) return skip(bytes);
  const std::size_t size = line_.size() + bytes.size();
  // One byte more may still be the "\r" of the line end.
  const bool fits = size <= limit_ || (size == limit_ + 1 && bytes.ends_with('\r'));
  if (fits) {
    line_.append(bytes);
    return;
  }
  begin_skipping();
  skip(bytes);
}

void LineSplitter::begin_skipping() {
  skipping_ = true;
  skipped_ = 0;
  scanner_ = {};
  skip(std::exchange(line_, {}));
}

void LineSplitter::skip(std::string_view bytes) {
  skipped_ += bytes.size();
  skipped_ends_in_return_ = bytes.ends_with('\r');
  scanner_.feed(bytes);
}

void LineSplitter::end_line(std::deque<InputLine>& lines) {
  if (skipping_) return end_oversized_line(lines);
  std::string line = std::exchange(line_, {});
  if (line.ends_with('\r')) line.pop_back();
  if (!is_blank(line)) lines.emplace_back(std::move(line));
}

void LineSplitter::end_oversized_line(std::deque<InputLine>& lines) {
  skipping_ = false;
  lines.emplace_back(OversizedLine{scanner_.id(), skipped_ - (skipped_ends_in_return_ ? 1 : 0)});
  scanner_ = {};
}

}  // namespace cowork_terminal::jsonrpc
