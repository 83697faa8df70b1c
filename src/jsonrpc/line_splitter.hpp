#pragma once

#include <cstddef>
#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "jsonrpc/oversized_line_scanner.hpp"

namespace cowork_terminal::jsonrpc {

// A line beyond the limit, of which only this is known.
struct OversizedLine {
  nlohmann::json id;
  std::size_t size;
};

using InputLine = std::variant<std::string, OversizedLine>;

// Bytes to lines (protocol.md §1.1): without "\n" or "\r\n" and without the byte order mark of the first one; blank
// lines are left out. Work is linear in the input, memory bounded by the limit.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t limit) : limit_(limit) {}

  // The lines that `bytes` completes.
  std::deque<InputLine> feed(std::string_view bytes);
  // The partial line at the end of the input, if there is one.
  std::deque<InputLine> finish();

 private:
  std::string_view without_byte_order_mark(std::string_view bytes);
  void append(std::string_view bytes);
  void begin_skipping();
  void skip(std::string_view bytes);
  void end_line(std::deque<InputLine>& lines);
  void end_oversized_line(std::deque<InputLine>& lines);

  std::size_t limit_;
  std::size_t mark_bytes_ = 0;  // of the byte order mark, seen at the start of the input
  bool at_start_ = true;
  std::string line_;
  bool skipping_ = false;
  std::size_t skipped_ = 0;
  bool skipped_ends_in_return_ = false;
  OversizedLineScanner scanner_;
};

}  // namespace cowork_terminal::jsonrpc
