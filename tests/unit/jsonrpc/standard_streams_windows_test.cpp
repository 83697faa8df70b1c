#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <array>
#include <chrono>
#include <cowork_terminal/jsonrpc/standard_streams.hpp>
#include <cstdio>
#include <future>
#include <memory>
#include <string>
#include <string_view>

#include "support/catch.hpp"

using namespace std::chrono_literals;
using namespace cowork_terminal::jsonrpc;

namespace {

struct Pipe {
  HANDLE read_end = nullptr;
  HANDLE write_end = nullptr;
  Pipe() { REQUIRE(::CreatePipe(&read_end, &write_end, nullptr, 0)); }
  ~Pipe() {
    close(read_end);
    close(write_end);
  }
  static void close(HANDLE& end) {
    if (end != nullptr) ::CloseHandle(end);
    end = nullptr;
  }
  void write(std::string_view bytes) const {
    DWORD count = 0;
    REQUIRE(::WriteFile(write_end, bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr));
  }
  // Waits for something to read.
  [[nodiscard]] std::string read() const {
    std::string text(100, '\0');
    DWORD count = 0;
    if (!::ReadFile(read_end, text.data(), static_cast<DWORD>(text.size()), &count, nullptr)) return "";
    text.resize(count);
    return text;
  }
};

// The streams of three pipes in the place of the test's own handles, which come back at the end.
class Process {
 public:
  Process() {
    for (std::size_t i = 0; i < saved_.size(); ++i) {
      saved_[i] = ::GetStdHandle(names_[i]);
      saved_descriptors_[i] = ::_dup(static_cast<int>(i));
    }
    ::SetStdHandle(STD_INPUT_HANDLE, input.read_end);
    ::SetStdHandle(STD_OUTPUT_HANDLE, output.write_end);
    ::SetStdHandle(STD_ERROR_HANDLE, errors.write_end);
    streams = take_standard_streams();
    stray_output_ = ::GetStdHandle(STD_OUTPUT_HANDLE);
    descriptor_output_ = reinterpret_cast<HANDLE>(::_get_osfhandle(1));
    DWORD count = 0;
    ::WriteFile(stray_output_, "stray ", 6, &count, nullptr);
    ::WriteFile(descriptor_output_, "print\n", 6, &count, nullptr);
    for (std::size_t i = 0; i < saved_.size(); ++i) {
      if (saved_descriptors_[i] >= 0) {
        ::_dup2(saved_descriptors_[i], static_cast<int>(i));
        ::_close(saved_descriptors_[i]);
      }
      ::SetStdHandle(names_[i], saved_[i]);
    }
    // The streams hold copies of their own.
    Pipe::close(input.read_end);
    Pipe::close(output.write_end);
  }

  Pipe input;
  Pipe output;
  Pipe errors;
  std::unique_ptr<ByteStreams> streams;

 private:
  static constexpr std::array<DWORD, 3> names_{STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
  std::array<HANDLE, 3> saved_{};
  std::array<int, 3> saved_descriptors_{};
  HANDLE stray_output_ = nullptr;
  HANDLE descriptor_output_ = nullptr;
};

std::string read_some(ByteStreams& streams) {
  std::array<char, 100> buffer{};
  return {buffer.data(), streams.read(buffer.data(), buffer.size())};
}

}  // namespace

TEST_CASE("a stray print lands on stderr and the client gets its lines", "[jsonrpc][C-2]") {
  const Process process;
  CHECK(process.streams->write_all("line\n"));
  CHECK(process.output.read() == "line\n");
  std::string errors = process.errors.read();
  while (errors.size() < 12) errors += process.errors.read();
  CHECK(errors == "stray print\n");
}

TEST_CASE("bytes pass as they are, end-of-file characters and line ends too", "[jsonrpc][K24]") {
  const Process process;
  process.input.write(
      "a\r\n\x1a"
      "b\n");
  CHECK(read_some(*process.streams) ==
        "a\r\n\x1a"
        "b\n");
  CHECK(process.streams->write_all("x\n\x1a\r\n"));
  CHECK(process.output.read() == "x\n\x1a\r\n");
}

TEST_CASE("somebody's empty write is not the end of the input, closing is", "[jsonrpc]") {
  Process process;
  process.input.write("");
  process.input.write("a");
  CHECK(read_some(*process.streams) == "a");
  Pipe::close(process.input.write_end);
  CHECK(read_some(*process.streams).empty());
}

TEST_CASE("writing fails once the reader is gone", "[jsonrpc][C-26]") {
  Process process;
  Pipe::close(process.output.read_end);
  CHECK_FALSE(process.streams->write_all("a"));
}

TEST_CASE("a wake-up is not lost, and any number of them is one", "[jsonrpc]") {
  const Process process;
  process.streams->wake();
  process.streams->wake();
  CHECK(process.streams->wait());
  auto waiting = std::async(std::launch::async, [&] { return process.streams->wait(); });
  CHECK(waiting.wait_for(20ms) == std::future_status::timeout);
  process.streams->wake();
  CHECK(waiting.get());
}
