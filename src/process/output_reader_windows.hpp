#pragma once

#include <boost/asio/windows/stream_handle.hpp>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "process/unique_handle_windows.hpp"

namespace cowork_terminal::process {

// Reads one pipe of a command to its end, for as long as that takes. Loop thread only. It keeps itself alive.
class OutputReader : public std::enable_shared_from_this<OutputReader> {
 public:
  using Sink = std::function<void(std::string_view bytes)>;

  OutputReader(boost::asio::io_context& context, UniqueHandle read_end, Sink sink, std::function<void()> on_end);

  void start();
  // Delivers all that the pipe holds now, then calls `settled`, perhaps at once; goes on reading.
  void settle(std::function<void()> settled);
  // What comes from now on is thrown away, and nobody is told of the end.
  void discard();
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  void read();
  void deliver(std::size_t size);
  void deliver_what_is_there();
  void end();

  boost::asio::windows::stream_handle handle_;
  Sink sink_;
  std::function<void()> on_end_;
  std::function<void()> settled_;
  std::vector<char> buffer_;
  bool ended_ = false;
};

}  // namespace cowork_terminal::process
