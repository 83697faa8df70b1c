#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "process/descriptor.hpp"

namespace cowork_terminal::process {

// POSIX. Reads one output stream of a command until nobody holds it any more. It keeps itself alive that long.
class OutputPipe : public std::enable_shared_from_this<OutputPipe> {
 public:
  using OnBytes = std::function<void(std::string_view)>;
  using OnEnd = std::function<void(int error)>;  // 0, or the errno of a read that failed for good
  // read_size bytes, shared by all pipes of a loop: what is read is passed on at once. Its pages are touched by reads
  // only, so that it costs what the largest of them needs.
  using Buffer = std::shared_ptr<char[]>;
  static constexpr std::size_t read_size = 64 * 1'024;

  OutputPipe(boost::asio::io_context& loop, Buffer buffer) : descriptor_(loop), buffer_(std::move(buffer)) {}

  // The read end, which becomes non-blocking; 0 or errno.
  int open(Descriptor read_end);
  void start(OnBytes on_bytes, OnEnd on_end);
  // All that the pipe holds at this moment, before it returns.
  void read_held();
  // From here on whatever comes is thrown away, and nothing is called.
  void discard();

  [[nodiscard]] bool has_ended() const { return !descriptor_.is_open(); }

 private:
  void wait();
  // Bytes read and passed on; 0 when the pipe is empty or has ended.
  std::size_t read_once();
  void end(int error);

  boost::asio::posix::stream_descriptor descriptor_;
  Buffer buffer_;
  OnBytes on_bytes_;
  OnEnd on_end_;
};

}  // namespace cowork_terminal::process
