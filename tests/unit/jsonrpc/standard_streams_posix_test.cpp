#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cowork_terminal/jsonrpc/standard_streams.hpp>
#include <csignal>
#include <cstdio>
#include <functional>
#include <string>
#include <system_error>

#include "support/catch.hpp"

using namespace cowork_terminal::jsonrpc;

namespace {

// Runs `steps` in a process of its own, whose descriptors 0-2 it may replace; it returns the number of the step that
// went wrong, or 0.
int in_child(const std::function<int()>& steps) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(steps());
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1'000 + status;
}

struct Pipe {
  std::array<int, 2> ends{};
  Pipe() { REQUIRE(::pipe(ends.data()) == 0); }
  ~Pipe() {
    for (const int end : ends) ::close(end);
  }
  [[nodiscard]] int read_end() const { return ends[0]; }
  [[nodiscard]] int write_end() const { return ends[1]; }
  // What it holds now.
  [[nodiscard]] std::string content() const {
    std::string text(100, '\0');
    pollfd entry{read_end(), POLLIN, 0};
    if (::poll(&entry, 1, 0) <= 0) return "";
    const ssize_t count = ::read(read_end(), text.data(), text.size());
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
  }
};

bool is_null_device(int descriptor) {
  struct stat device {};
  struct stat null_device {};
  return ::fstat(descriptor, &device) == 0 && ::stat("/dev/null", &null_device) == 0 &&
         device.st_rdev == null_device.st_rdev && S_ISCHR(device.st_mode);
}

bool is_same_file(int one, int other) {
  struct stat first {};
  struct stat second {};
  return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 && first.st_ino == second.st_ino &&
         first.st_dev == second.st_dev;
}

void close_all_from(int lowest) {
  for (int descriptor = lowest; descriptor < 256; ++descriptor) ::close(descriptor);
}

}  // namespace

TEST_CASE("a stray print lands on stderr, a stray read meets the end, and the client gets its lines",
          "[jsonrpc][C-2]") {
  Pipe input;
  Pipe output;
  Pipe errors;
  REQUIRE(::write(input.write_end(), "hello", 5) == 5);
  CHECK(in_child([&] {
          ::dup2(input.read_end(), 0);
          ::dup2(output.write_end(), 1);
          ::dup2(errors.write_end(), 2);
          ::signal(SIGPIPE, SIG_DFL);
          const auto streams = take_standard_streams();
          if (::write(1, "stray", 5) != 5) return 1;
          if (!streams->write_all("line\n")) return 2;
          char byte = 0;
          if (::read(0, &byte, 1) != 0) return 3;
          std::array<char, 10> buffer{};
          if (streams->read(buffer.data(), buffer.size()) != 5) return 4;
          if (!is_same_file(1, 2) || !is_null_device(0)) return 5;
          struct sigaction action {};
          ::sigaction(SIGPIPE, nullptr, &action);
          return action.sa_handler == SIG_IGN ? 0 : 6;
        }) == 0);
  CHECK(output.content() == "line\n");
  CHECK(errors.content() == "stray");
}

TEST_CASE("the private descriptors are above 2 and closed by exec, descriptors 0-2 are not", "[jsonrpc][C-17]") {
  Pipe input;
  Pipe output;
  CHECK(in_child([&] {
          ::dup2(input.read_end(), 0);
          ::dup2(output.write_end(), 1);
          close_all_from(3);
          const auto streams = take_standard_streams();
          for (int descriptor = 0; descriptor < 3; ++descriptor) {
            if (::fcntl(descriptor, F_GETFD) != 0) return 1;
          }
          int open_ones = 0;
          for (int descriptor = 3; descriptor < 64; ++descriptor) {
            const int flags = ::fcntl(descriptor, F_GETFD);
            if (flags == -1) continue;
            ++open_ones;
            if ((flags & FD_CLOEXEC) == 0) return 2;
          }
          return open_ones == 4 ? 0 : 3;  // input, output, the two ends of the pipe that wakes
        }) == 0);
}

TEST_CASE("the flags of the shared descriptions stay as the client set them", "[jsonrpc][C-17]") {
  Pipe input;
  Pipe output;
  const bool is_non_blocking = GENERATE(false, true);
  if (is_non_blocking) {
    for (const int end : {input.read_end(), output.write_end()}) ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  const int input_flags = ::fcntl(input.read_end(), F_GETFL);
  const int output_flags = ::fcntl(output.write_end(), F_GETFL);
  CHECK(in_child([&] {
          ::dup2(input.read_end(), 0);
          ::dup2(output.write_end(), 1);
          const auto streams = take_standard_streams();
          return streams->write_all("x") ? 0 : 1;
        }) == 0);
  CHECK(::fcntl(input.read_end(), F_GETFL) == input_flags);
  CHECK(::fcntl(output.write_end(), F_GETFL) == output_flags);
}

TEST_CASE("descriptors that were closed at the start never become a file of ours", "[jsonrpc][C-17]") {
  for (int closed = 1; closed < 8; ++closed) {
    INFO("set of closed descriptors: " << closed);
    CHECK(in_child([&] {
            for (int descriptor = 0; descriptor < 3; ++descriptor) {
              if ((closed >> descriptor & 1) != 0) ::close(descriptor);
            }
            open_missing_standard_descriptors();
            const int later = ::open("/dev/null", O_RDONLY);
            if (later < 3) return 1;
            const auto streams = take_standard_streams();
            char byte = 0;
            if ((closed & 1) != 0 && streams->read(&byte, 1) != 0) return 2;
            if ((closed & 2) != 0 && streams->write_all("x")) return 3;
            if ((closed & 4) != 0 && !is_null_device(2)) return 4;
            return 0;
          }) == 0);
  }
}

TEST_CASE("without a descriptor left the streams cannot be taken, and say so", "[jsonrpc]") {
  CHECK(in_child([] {
          close_all_from(3);
          while (::open("/dev/null", O_RDONLY) >= 0) {
          }
          try {
            take_standard_streams();
          } catch (const std::system_error& error) {
            // UndefinedBehaviorSanitizer looks at an object's type with the help of a pipe.
            for (int descriptor = 3; descriptor < 8; ++descriptor) ::close(descriptor);
            return std::string{error.what()}.find("cannot duplicate descriptor 0") == 0 ? 0 : 2;
          }
          return 1;
        }) == 0);
}
