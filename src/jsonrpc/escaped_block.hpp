#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace cowork_terminal::jsonrpc {

// A block of memory with the start of a text as it stands in a JSON string (RFC 8259, section 7): an append for each
// run between two escapes would cost more than all the rest. A maximal ill-formed subpart becomes U+FFFD.
class EscapedBlock {
 public:
  // Starts anew. What is left of the text when the block is full.
  std::string_view fill(std::string_view text);
  [[nodiscard]] std::string_view bytes() const { return {block_.data(), size_}; }

 private:
  std::array<char, 4'096> block_;  // not initialised: written before it is read
  std::size_t size_ = 0;
};

}  // namespace cowork_terminal::jsonrpc
