#include "jsonrpc/descriptor_streams_posix.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <future>
#include <string>
#include <thread>

#include "support/catch.hpp"

using namespace std::chrono_literals;
using namespace cowork_terminal::jsonrpc;

namespace {

struct Pair {
  int read_end;
  int write_end;
};

Pair make_pipe() {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  return {ends[0], ends[1]};
}

Pair make_socket_pair() {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  return {ends[0], ends[1]};
}

void make_non_blocking(int descriptor) {
  REQUIRE(::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0);
}

Descriptor null_device(int flags) { return Descriptor{::open("/dev/null", flags)}; }

std::string read_to_end(ByteStreams& streams) {
  std::string text;
  std::array<char, 1'000> buffer{};
  while (const std::size_t count = streams.read(buffer.data(), buffer.size())) text.append(buffer.data(), count);
  return text;
}

bool becomes_true(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

// A signal handler makes system calls end with EINTR, as it is installed without SA_RESTART.
void interrupt_system_calls_of(pthread_t thread, const std::atomic<bool>& enough, std::atomic<int>& interruptions) {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  struct sigaction previous {};
  ::sigaction(SIGUSR1, &action, &previous);
  while (!enough) {
    ::pthread_kill(thread, SIGUSR1);
    ++interruptions;
    std::this_thread::sleep_for(1ms);
  }
  ::sigaction(SIGUSR1, &previous, nullptr);
}

}  // namespace

TEST_CASE("bytes go through pipes and sockets, blocking or not, and the flags stay", "[jsonrpc][C-17]") {
  const bool is_socket = GENERATE(false, true);
  const bool is_non_blocking = GENERATE(false, true);
  const Pair input = is_socket ? make_socket_pair() : make_pipe();
  const Pair output = is_socket ? make_socket_pair() : make_pipe();
  if (is_non_blocking) {
    make_non_blocking(input.read_end);
    make_non_blocking(output.write_end);
  }
  const int input_flags = ::fcntl(input.read_end, F_GETFL);
  const int output_flags = ::fcntl(output.write_end, F_GETFL);
  DescriptorStreams streams{Descriptor{input.read_end}, Descriptor{output.write_end}};

  const std::string text(3'000'000, 'x');
  auto typed = std::async(std::launch::async, [&] {
    std::this_thread::sleep_for(10ms);  // the reader meets an empty pipe first
    std::string_view rest = text;
    while (!rest.empty()) {
      const ssize_t count = ::write(input.write_end, rest.data(), rest.size());
      if (count < 0) break;
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
    ::close(input.write_end);
  });
  CHECK(read_to_end(streams) == text);
  typed.get();

  auto seen = std::async(std::launch::async, [&] {
    std::string received(text.size(), '\0');
    std::size_t size = 0;
    while (size < received.size()) {
      const ssize_t count = ::read(output.read_end, received.data() + size, received.size() - size);
      if (count <= 0) break;
      size += static_cast<std::size_t>(count);
    }
    return received;
  });
  CHECK(streams.write_all(text));
  CHECK(seen.get() == text);
  CHECK(::fcntl(input.read_end, F_GETFL) == input_flags);
  CHECK(::fcntl(output.write_end, F_GETFL) == output_flags);
  ::close(output.read_end);
}

TEST_CASE("system calls that are interrupted go on", "[jsonrpc]") {
  const Pair input = make_pipe();
  const Pair output = make_pipe();
  DescriptorStreams streams{Descriptor{input.read_end}, Descriptor{output.write_end}};
  const std::string text(1'000'000, 'y');
  std::atomic<bool> enough = false;
  std::atomic<int> steps = 0;
  std::atomic<int> interruptions = 0;
  std::thread user{[&] {
    std::array<char, 16> buffer{};
    if (streams.read(buffer.data(), buffer.size()) == 3) ++steps;
    if (streams.wait()) ++steps;
    if (streams.write_all(text)) ++steps;
  }};
  const pthread_t thread = user.native_handle();
  std::thread interrupter{[&] { interrupt_system_calls_of(thread, enough, interruptions); }};
  CHECK(becomes_true([&] { return interruptions > 10; }));
  CHECK(steps == 0);
  CHECK(::write(input.write_end, "abc", 3) == 3);
  CHECK(becomes_true([&] { return steps == 1; }));
  const int before = interruptions;
  CHECK(becomes_true([&] { return interruptions > before + 10; }));
  CHECK(steps == 1);
  streams.wake();
  std::string received;
  std::array<char, 4'096> buffer{};
  while (received.size() < text.size()) {
    const ssize_t count = ::read(output.read_end, buffer.data(), buffer.size());
    if (count < 0) continue;
    received.append(buffer.data(), static_cast<std::size_t>(count));
  }
  enough = true;
  interrupter.join();
  user.join();
  CHECK(steps == 3);
  CHECK(received == text);
  ::close(input.write_end);
  ::close(output.read_end);
}

TEST_CASE("a broken input ends", "[jsonrpc]") {
  DescriptorStreams streams{null_device(O_WRONLY), null_device(O_WRONLY)};
  std::array<char, 16> buffer{};
  CHECK(streams.read(buffer.data(), buffer.size()) == 0);
}

TEST_CASE("writing fails once the reader is gone", "[jsonrpc][C-26]") {
  const bool is_socket = GENERATE(false, true);
  ::signal(SIGPIPE, SIG_IGN);
  const Pair output = is_socket ? make_socket_pair() : make_pipe();
  DescriptorStreams streams{null_device(O_RDONLY), Descriptor{output.write_end}};
  CHECK(streams.write_all("a"));
  ::close(output.read_end);
  CHECK_FALSE(streams.write_all("a"));
}

TEST_CASE("waiting ends at once when the reader of a pipe or socket goes away", "[jsonrpc][C-26]") {
  const bool is_socket = GENERATE(false, true);
  const Pair output = is_socket ? make_socket_pair() : make_pipe();
  DescriptorStreams streams{null_device(O_RDONLY), Descriptor{output.write_end}};
  auto waiting = std::async(std::launch::async, [&] { return streams.wait(); });
  CHECK(waiting.wait_for(20ms) == std::future_status::timeout);
  ::close(output.read_end);
  REQUIRE(waiting.wait_for(5s) == std::future_status::ready);
  CHECK_FALSE(waiting.get());
}

TEST_CASE("a blocked write ends when the reader goes away", "[jsonrpc][C-26]") {
  const bool is_non_blocking = GENERATE(false, true);
  ::signal(SIGPIPE, SIG_IGN);
  const Pair output = make_pipe();
  if (is_non_blocking) make_non_blocking(output.write_end);
  DescriptorStreams streams{null_device(O_RDONLY), Descriptor{output.write_end}};
  auto writing = std::async(std::launch::async, [&] { return streams.write_all(std::string(1'000'000, 'x')); });
  CHECK(writing.wait_for(20ms) == std::future_status::timeout);
  ::close(output.read_end);
  REQUIRE(writing.wait_for(5s) == std::future_status::ready);
  CHECK_FALSE(writing.get());
}

TEST_CASE("a wake-up is not lost, and any number of them is one", "[jsonrpc]") {
  DescriptorStreams streams{null_device(O_RDONLY), null_device(O_WRONLY)};
  for (int i = 0; i < 100'000; ++i) streams.wake();
  CHECK(streams.wait());
  auto waiting = std::async(std::launch::async, [&] { return streams.wait(); });
  CHECK(waiting.wait_for(20ms) == std::future_status::timeout);
  streams.wake();
  REQUIRE(waiting.wait_for(5s) == std::future_status::ready);
  CHECK(waiting.get());
}

TEST_CASE("a full pipe with a reader is no closed output", "[jsonrpc][C-27]") {
  const Pair output = make_pipe();
  make_non_blocking(output.write_end);
  while (::write(output.write_end, "x", 1) == 1) {
  }
  DescriptorStreams streams{null_device(O_RDONLY), Descriptor{output.write_end}};
  auto waiting = std::async(std::launch::async, [&] { return streams.wait(); });
  CHECK(waiting.wait_for(20ms) == std::future_status::timeout);
  streams.wake();
  CHECK(waiting.get());
  ::close(output.read_end);
}

TEST_CASE("what there is room for is written at once, and never waited for", "[jsonrpc][C-27]") {
  const bool is_socket = GENERATE(false, true);
  const Pair output = is_socket ? make_socket_pair() : make_pipe();
  DescriptorStreams streams{null_device(O_RDONLY), Descriptor{output.write_end}};
  CHECK(streams.write_now("short\n") == 6);
  CHECK(streams.write_now(std::string(100'000, 'x')) == 0);

  const std::string piece(512, 'y');
  std::size_t written = 6;
  while (const std::size_t size = streams.write_now(piece)) written += size;
  std::string received(written, '\0');
  for (std::size_t size = 0; size < written;) {
    const ssize_t count = ::read(output.read_end, received.data() + size, written - size);
    REQUIRE(count > 0);
    size += static_cast<std::size_t>(count);
  }
  CHECK(received.starts_with("short\nyyy"));
  CHECK(streams.write_now("again\n") == 6);

  std::signal(SIGPIPE, SIG_IGN);
  ::close(output.read_end);
  CHECK(streams.write_now("lost\n") == 0);
}
