#pragma once

#include <charconv>
#include <cstring>

namespace cowork_terminal::process {

// "<prefix><number><suffix>" in `path`, of `size` bytes, which is known to hold it. Between fork and exec:
// std::to_chars and memcpy allocate nothing.
inline void write_numbered_path(char* path, std::size_t size, const char* prefix, long number, const char* suffix) {
  const std::size_t prefix_size = std::strlen(prefix);
  std::memcpy(path, prefix, prefix_size);
  char* const place = std::to_chars(path + prefix_size, path + size, number).ptr;
  std::memcpy(place, suffix, std::strlen(suffix) + 1);
}

}  // namespace cowork_terminal::process
