#pragma once

#include <cowork_terminal/process/command.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cowork_terminal::process {

// Keeps the head of one stream as valid UTF-8 and counts the rest. Memory never exceeds the limit by more than a
// small constant, whatever is appended.
class OutputCapture {
 public:
  // `limit`: bytes of repaired text kept (contract C-11, C-12).
  explicit OutputCapture(std::size_t limit);

  // Any piece of the stream; characters may be split between pieces.
  void append(std::string_view bytes);
  // Moves out what is there, holding back the start of a character whose end has not come; the full limit counts again.
  CapturedOutput take();
  // The stream has ended: an unfinished character becomes U+FFFD.
  CapturedOutput finish();

  [[nodiscard]] std::uint64_t total_bytes() const { return total_bytes_; }

 private:
  std::size_t rest_of_cut_character(std::string_view bytes);
  std::size_t finish_pending(std::string_view bytes);
  void keep(std::string_view valid);
  CapturedOutput move_out();

  std::size_t limit_;
  std::string text_;
  bool truncated_ = false;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t taken_bytes_ = 0;
  char pending_[4] = {};  // the start of a character, at most 3 bytes
  std::size_t pending_size_ = 0;
  int resuming_ = 0;  // bytes that may still belong to a character cut away before the last take()
};

}  // namespace cowork_terminal::process
