#include <windows.h>

#include <chrono>
#include <string>
#include <thread>

#include "app/standard_error.hpp"
#include "support/catch.hpp"

using cowork_terminal::app::write_standard_error_now;
using namespace std::chrono_literals;

namespace {

// A pipe in the place of stderr.
class ErrorPipe {
 public:
  ErrorPipe() {
    REQUIRE(::CreatePipe(&read_end_, &write_end_, nullptr, 0) != 0);
    ::SetStdHandle(STD_ERROR_HANDLE, write_end_);
  }
  ~ErrorPipe() {
    ::SetStdHandle(STD_ERROR_HANDLE, before_);
    ::CloseHandle(write_end_);
    ::CloseHandle(read_end_);
  }
  // What is there within 2 s, at least `size` bytes.
  std::string read(std::size_t size) {
    std::string bytes;
    const auto deadline = std::chrono::steady_clock::now() + 2s;
    while (bytes.size() < size && std::chrono::steady_clock::now() < deadline) {
      DWORD available = 0;
      ::PeekNamedPipe(read_end_, nullptr, 0, nullptr, &available, nullptr);
      if (available == 0) {
        std::this_thread::sleep_for(1ms);
        continue;
      }
      std::string piece(available, '\0');
      ::ReadFile(read_end_, piece.data(), available, &available, nullptr);
      bytes += piece;
    }
    return bytes;
  }

 private:
  HANDLE before_ = ::GetStdHandle(STD_ERROR_HANDLE);
  HANDLE read_end_ = nullptr;
  HANDLE write_end_ = nullptr;
};

}  // namespace

TEST_CASE("a line for stderr is there when the call returns", "[app][C-29]") {
  ErrorPipe pipe;
  CHECK(write_standard_error_now("hello\r\n\n"));
  CHECK(pipe.read(8) == "hello\r\n\n");
}

TEST_CASE("a stderr that nobody reads blocks nobody, and what finds no room is dropped", "[app][C-29]") {
  ErrorPipe pipe;
  const std::string line(1'000, 'x');
  const auto begin = std::chrono::steady_clock::now();
  std::size_t taken = 0;
  while (taken < 10'000 && write_standard_error_now(line)) ++taken;
  CHECK(std::chrono::steady_clock::now() - begin < 1s);
  CHECK(taken < 1'000);
  CHECK_FALSE(write_standard_error_now(line));
  // Nothing of what was taken is lost once somebody reads.
  CHECK(pipe.read(taken * line.size()).size() == taken * line.size());
  CHECK(write_standard_error_now("again\n"));
  CHECK(pipe.read(6) == "again\n");
}
