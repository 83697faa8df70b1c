#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "process/output_pipe.hpp"

namespace cowork_terminal::process {

namespace {

constexpr int reads_per_wake_up = 4;  // then others have their turn

}  // namespace

int OutputPipe::open(Descriptor read_end) {
  boost::system::error_code error;
  descriptor_.assign(read_end.get(), error);
  if (error) return error.value();
  read_end.release();
  // The read end is an open file description of its own: the command's end goes on blocking.
  descriptor_.non_blocking(true, error);
  return error.value();
}

void OutputPipe::start(OnBytes on_bytes, OnEnd on_end) {
  on_bytes_ = std::move(on_bytes);
  on_end_ = std::move(on_end);
  wait();
}

void OutputPipe::wait() {
  descriptor_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                         [self = shared_from_this()](const boost::system::error_code& error) {
                           if (error || self->has_ended()) return;
                           for (int i = 0; i < reads_per_wake_up && self->read_once() > 0; ++i) continue;
                           if (!self->has_ended()) self->wait();
                         });
}

void OutputPipe::read_held() {
  if (has_ended()) return;
  int held = 0;
  if (::ioctl(descriptor_.native_handle(), FIONREAD, &held) != 0) held = 0;
  std::size_t read = 0;
  while (read < static_cast<std::size_t>(held)) {
    const std::size_t count = read_once();
    if (count == 0) return;
    read += count;
  }
  // Once more, to see an end that is there already.
  read_once();
}

void OutputPipe::discard() {
  on_bytes_ = nullptr;
  on_end_ = nullptr;
}

std::size_t OutputPipe::read_once() {
  ssize_t count = 0;
  do {
    count = ::read(descriptor_.native_handle(), buffer_.get(), read_size);
  } while (count < 0 && errno == EINTR);
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return 0;
  if (count <= 0) {
    end(count < 0 ? errno : 0);
    return 0;
  }
  const auto size = static_cast<std::size_t>(count);
  if (on_bytes_) on_bytes_({buffer_.get(), size});
  return size;
}

void OutputPipe::end(int error) {
  boost::system::error_code ignored;
  descriptor_.close(ignored);
  const auto on_end = std::exchange(on_end_, nullptr);
  discard();
  if (on_end) on_end(error);
}

}  // namespace cowork_terminal::process
