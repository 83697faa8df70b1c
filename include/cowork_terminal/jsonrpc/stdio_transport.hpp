#pragma once

#include <cowork_terminal/jsonrpc/standard_streams.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cowork_terminal::loop {
class EventLoop;
}

namespace cowork_terminal::jsonrpc {

struct TransportLimits {
  std::size_t line = 16 * 1'024 * 1'024;             // bytes of input, without the line end (contract C-28)
  std::size_t backlog = 64 * 1'024 * 1'024;          // bytes of output that wait for the client (contract C-27)
  std::size_t unhandled_input = 64 * 1'024 * 1'024;  // bytes read and not yet handled; the reader waits beyond it
  std::size_t waiting_lines = 65'536;  // lines of output; beyond it input is not handled, as a client that never reads
                                       // could else fill the memory by asking
};

// What the transport tells, always on the loop thread.
struct TransportEvents {
  std::function<void(std::string line)> on_line;  // without line end; never blank
  // A line over the limit: its top-level id (null if none was found) and its size in bytes.
  std::function<void(nlohmann::json id, std::size_t size)> on_oversized_line;
  std::function<void()> on_end_of_input;      // after the last line
  std::function<void()> on_output_closed;     // nobody reads our output any more
  std::function<void(bool full)> on_backlog;  // the backlog passed its limit / is under half of it again
};

// Called once, on the loop thread: whether the line was given to the operating system whole.
using Delivered = std::function<void(bool written)>;

// Lines between the client and the loop: one reader and one writer thread, the only ones that block. Made, used and
// destroyed on the loop thread, but not inside one of its events; none comes after its destruction. The loop outlives
// it.
class StdioTransport {
 public:
  StdioTransport(loop::EventLoop& loop, std::unique_ptr<ByteStreams> streams, TransportLimits limits = {});
  ~StdioTransport();
  StdioTransport(const StdioTransport&) = delete;
  StdioTransport& operator=(const StdioTransport&) = delete;

  // Starts both threads. Once. Throws std::system_error if the system has none left.
  void start(TransportEvents events);
  // Queues one line (without its newline). Never blocks and never refuses: the caller heeds on_backlog.
  void send(std::string line, Delivered delivered = {});
  // Calls `flushed` on the loop thread once everything queued was written or the output was found closed.
  void when_flushed(std::function<void()> flushed);

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the threads, which outlive the transport when they block for good
};

}  // namespace cowork_terminal::jsonrpc
