#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cowork_terminal/jsonrpc/standard_streams.hpp>
#include <csignal>
#include <string>
#include <system_error>
#include <utility>

namespace cowork_terminal::jsonrpc {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF; }

Descriptor open_null_device(int flags) {
  const int number = ::open("/dev/null", flags);
  if (number < 0) fail("cannot open /dev/null");
  return Descriptor{number};
}

Descriptor private_copy(int descriptor) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (copy < 0) fail("cannot duplicate descriptor " + std::to_string(descriptor));
  return Descriptor{copy};
}

void put_in_place(int descriptor, int place) {
  while (::dup2(descriptor, place) < 0) {
    if (errno != EINTR && errno != EBUSY) fail("cannot replace descriptor " + std::to_string(place));
  }
}

struct WakePipe {
  Descriptor read_end;
  Descriptor write_end;
};

// Our own descriptors: nobody shares their flags.
void make_private(int descriptor) {
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
}

WakePipe make_wake_pipe() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) fail("cannot make a pipe");
  for (const int end : ends) make_private(end);
  return {Descriptor{ends[0]}, Descriptor{ends[1]}};
}

// Whether the call that just failed is to be made again: it was interrupted, or the descriptor came to us non-blocking.
bool can_be_repeated(int descriptor, short event) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd entry{descriptor, event, 0};
  return ::poll(&entry, 1, -1) >= 0 || errno == EINTR;
}

class StandardStreams final : public ByteStreams {
 public:
  StandardStreams(Descriptor input, Descriptor output, WakePipe wake_pipe)
      : input_(std::move(input)), output_(std::move(output)), wake_pipe_(std::move(wake_pipe)) {}

  std::size_t read(char* buffer, std::size_t size) override {
    for (;;) {
      const ssize_t count = ::read(input_.number(), buffer, size);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (!can_be_repeated(input_.number(), POLLIN)) return 0;
    }
  }

  bool write_all(std::string_view bytes) override {
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

  bool wait() override {
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

  void wake() override {
    // A full pipe wakes just as well.
    while (::write(wake_pipe_.write_end.number(), "w", 1) < 0 && errno == EINTR) {
    }
  }

 private:
  void swallow_wake_ups() {
    std::array<char, 64> bytes{};
    while (::read(wake_pipe_.read_end.number(), bytes.data(), bytes.size()) > 0) {
    }
  }

  Descriptor input_;
  Descriptor output_;
  WakePipe wake_pipe_;
  bool output_is_polled_ = true;
};

}  // namespace

void open_missing_standard_descriptors() {
  constexpr std::array<std::pair<int, int>, 3> descriptors{
      {{STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}}};
  for (const auto& [descriptor, flags] : descriptors) {
    if (is_open(descriptor)) continue;
    // The lowest free number is the missing one. Leaked on purpose: it lives as long as the program.
    if (::open("/dev/null", flags) < 0) fail("cannot open /dev/null for descriptor " + std::to_string(descriptor));
  }
}

std::unique_ptr<ByteStreams> take_standard_streams() {
  open_missing_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);

  Descriptor input = private_copy(STDIN_FILENO);
  Descriptor output = private_copy(STDOUT_FILENO);
  WakePipe wake_pipe = make_wake_pipe();
  put_in_place(open_null_device(O_RDONLY | O_CLOEXEC).number(), STDIN_FILENO);
  put_in_place(STDERR_FILENO, STDOUT_FILENO);
  return std::make_unique<StandardStreams>(std::move(input), std::move(output), std::move(wake_pipe));
}

}  // namespace cowork_terminal::jsonrpc
