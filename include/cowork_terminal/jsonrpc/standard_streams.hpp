#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace cowork_terminal::jsonrpc {

// The bytes between us and the client. read() is called by one thread, write_all() by one other; both block.
class ByteStreams {
 public:
  virtual ~ByteStreams() = default;
  // Up to `size` bytes into `buffer`; 0 at the end of the input or when it is broken.
  virtual std::size_t read(char* buffer, std::size_t size) = 0;
  // False once the reader is gone.
  virtual bool write_all(std::string_view bytes) = 0;
};

// The server's stdin and stdout. From here on descriptor 1 is stderr, so that a stray print cannot reach the client;
// descriptors 0-2 that were closed at the start are opened on the null device first. No flag of them is changed
// (contract C-17). On Windows both are in binary mode.
std::unique_ptr<ByteStreams> take_standard_streams();

}  // namespace cowork_terminal::jsonrpc
