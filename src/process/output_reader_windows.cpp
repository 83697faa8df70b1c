#include "process/output_reader_windows.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <utility>

namespace cowork_terminal::process {

namespace {

// Half of the pipe, see output_pipe_windows.cpp.
constexpr std::size_t buffer_size = 64 * 1'024;

}  // namespace

OutputReader::OutputReader(boost::asio::io_context& context, UniqueHandle read_end, Sink sink,
                           std::function<void()> on_end)
    : handle_(context, read_end.release()), sink_(std::move(sink)), on_end_(std::move(on_end)), buffer_(buffer_size) {}

void OutputReader::start() { read(); }

void OutputReader::settle(std::function<void()> settled) {
  if (ended_) return settled();
  // Only a read that has come back shows what is left in the pipe: this one does so with data or without.
  settled_ = std::move(settled);
  boost::system::error_code ignored;
  handle_.cancel(ignored);
}

void OutputReader::discard() {
  sink_ = nullptr;
  on_end_ = nullptr;
  settled_ = nullptr;
}

void OutputReader::read() {
  handle_.async_read_some(boost::asio::buffer(buffer_),
                          [self = shared_from_this()](const boost::system::error_code& error, std::size_t size) {
                            self->deliver(size);
                            if (error && error != boost::asio::error::operation_aborted) return self->end();
                            if (const auto settled = std::exchange(self->settled_, nullptr)) {
                              self->deliver_what_is_there();
                              settled();
                            }
                            self->read();
                          });
}

void OutputReader::deliver(std::size_t size) {
  if (size != 0 && sink_) sink_({buffer_.data(), size});
}

// The amount is asked for once: a background process may write faster than we read.
void OutputReader::deliver_what_is_there() {
  DWORD available = 0;
  if (::PeekNamedPipe(handle_.native_handle(), nullptr, 0, nullptr, &available, nullptr) == 0) return;
  while (available != 0) {
    boost::system::error_code error;
    const auto room = std::min<std::size_t>(available, buffer_.size());
    const auto size = handle_.read_some(boost::asio::buffer(buffer_.data(), room), error);
    if (error) return;
    deliver(size);
    available -= static_cast<DWORD>(size);
  }
}

void OutputReader::end() {
  ended_ = true;
  boost::system::error_code ignored;
  handle_.close(ignored);
  if (const auto settled = std::exchange(settled_, nullptr)) settled();
  if (const auto told = std::exchange(on_end_, nullptr)) told();
}

}  // namespace cowork_terminal::process
