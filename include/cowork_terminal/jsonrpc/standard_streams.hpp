#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace cowork_terminal::jsonrpc {

// The bytes between us and the client. read() is called by one thread; write_all() and wait() by one other; they block.
// write_now() is called by a third one, never while write_all() has anything to write.
class ByteStreams {
 public:
  virtual ~ByteStreams() = default;
  // Up to `size` bytes into `buffer`; 0 at the end of the input or when it is broken.
  virtual std::size_t read(char* buffer, std::size_t size) = 0;
  // False once the reader is gone.
  virtual bool write_all(std::string_view bytes) = 0;
  // As much of the start of `bytes` as can be written without waiting; 0 where that is not known.
  virtual std::size_t write_now(std::string_view bytes) = 0;
  // Until wake() is called, or was since the last wait(): true. False if the reader of our output went away meanwhile,
  // where the system tells (contract C-26); elsewhere the next write does.
  virtual bool wait() = 0;
  // Any thread.
  virtual void wake() = 0;
};

// Opens descriptors 0-2 that were closed at the start on the null device, so that no file or socket becomes one of
// them. They behave as if closed: reading 0 and writing 1 fails. The first thing that the program does.
void open_missing_standard_descriptors();

// The server's stdin and stdout; calls open_missing_standard_descriptors(). From here on descriptor 1 is stderr and
// descriptor 0 the null device, so that a stray print cannot reach the client, and SIGPIPE is ignored. No flag of the
// descriptors is changed: they are shared (contract C-17). On Windows both are in binary mode.
// Throws std::system_error when no descriptor is left.
std::unique_ptr<ByteStreams> take_standard_streams();

}  // namespace cowork_terminal::jsonrpc
