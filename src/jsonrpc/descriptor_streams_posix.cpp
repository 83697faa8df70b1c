#include "jsonrpc/descriptor_streams_posix.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <system_error>
#include <utility>

namespace cowork_terminal::jsonrpc {
namespace {

// Our own descriptors: nobody shares their flags.
void make_private(int descriptor) {
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
}

// Whether the call that just failed is to be made again: it was interrupted, or the descriptor came to us non-blocking.
bool can_be_repeated(int descriptor, short event) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd entry{descriptor, event, 0};
  return ::poll(&entry, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

DescriptorStreams::DescriptorStreams(Descriptor input, Descriptor output)
    : input_(std::move(input)), output_(std::move(output)), wake_pipe_(make_wake_pipe()) {}

std::size_t DescriptorStreams::read(char* buffer, std::size_t size) {
  for (;;) {
    const ssize_t count = ::read(input_.number(), buffer, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (!can_be_repeated(input_.number(), POLLIN)) return 0;
  }
}

bool DescriptorStreams::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(output_.number(), bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (!can_be_repeated(output_.number(), POLLOUT)) {
      return false;
    }
  }
  return true;
}

// A pipe that poll() calls writable takes PIPE_BUF bytes without waiting (POSIX, write()); longer lines are few.
std::size_t DescriptorStreams::write_now(std::string_view bytes) {
  pollfd entry{output_.number(), POLLOUT, 0};
  if (bytes.size() > PIPE_BUF || ::poll(&entry, 1, 0) != 1 || entry.revents != POLLOUT) return 0;
  const ssize_t count = ::write(output_.number(), bytes.data(), bytes.size());
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

bool DescriptorStreams::wait() {
  for (;;) {
    // POLLHUP in `events` means nothing on Linux; without it macOS watches no event of the descriptor at all.
    std::array<pollfd, 2> entries{
        {{output_is_polled_ ? output_.number() : -1, POLLHUP, 0}, {wake_pipe_.read_end.number(), POLLIN, 0}}};
    if (::poll(entries.data(), entries.size(), -1) < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return true;
    }
    const auto& [output, wake_up] = entries;
    if ((output.revents & (POLLERR | POLLHUP)) != 0) return false;
    // macOS cannot poll some devices.
    if ((output.revents & POLLNVAL) != 0) output_is_polled_ = false;
    if (wake_up.revents != 0) {
      swallow_wake_ups();
      return true;
    }
  }
}

void DescriptorStreams::wake() {
  // A full pipe wakes just as well.
  while (::write(wake_pipe_.write_end.number(), "w", 1) < 0 && errno == EINTR) {
  }
}

void DescriptorStreams::swallow_wake_ups() {
  std::array<char, 64> bytes{};
  while (::read(wake_pipe_.read_end.number(), bytes.data(), bytes.size()) > 0) {
  }
}

DescriptorStreams::WakePipe DescriptorStreams::make_wake_pipe() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  for (const int end : ends) make_private(end);
  return {Descriptor{ends[0]}, Descriptor{ends[1]}};
}

}  // namespace cowork_terminal::jsonrpc
