#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cowork_terminal/jsonrpc/standard_streams.hpp>
#include <cstdio>
#include <system_error>
#include <utility>

namespace cowork_terminal::jsonrpc {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(static_cast<int>(::GetLastError()), std::system_category(), what);
}

class OwnedHandle {
 public:
  explicit OwnedHandle(HANDLE handle) : handle_(handle) {}
  OwnedHandle(OwnedHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  OwnedHandle& operator=(OwnedHandle&&) = delete;
  ~OwnedHandle() {
    if (is_valid()) ::CloseHandle(handle_);
  }
  [[nodiscard]] HANDLE get() const { return handle_; }
  [[nodiscard]] bool is_valid() const { return handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE; }
  HANDLE release() { return std::exchange(handle_, nullptr); }

 private:
  HANDLE handle_;
};

OwnedHandle make_event(bool manual_reset) {
  OwnedHandle event{::CreateEventW(nullptr, manual_reset ? TRUE : FALSE, FALSE, nullptr)};
  if (!event.is_valid()) fail("cannot make an event");
  return event;
}

// Not inheritable; invalid if the program was started without this handle.
OwnedHandle private_copy(DWORD which) {
  HANDLE copy = nullptr;
  const HANDLE process = ::GetCurrentProcess();
  const HANDLE original = ::GetStdHandle(which);
  if (original == nullptr || original == INVALID_HANDLE_VALUE) return OwnedHandle{nullptr};
  if (!::DuplicateHandle(process, original, process, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS)) {
    return OwnedHandle{nullptr};
  }
  return OwnedHandle{copy};
}

OwnedHandle open_null_device() {
  return OwnedHandle{::CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                   OPEN_EXISTING, 0, nullptr)};
}

// The C library's descriptor as well, for whoever prints by printf or std::cout.
void replace_descriptor(int descriptor, HANDLE handle) {
  HANDLE duplicate = nullptr;
  const HANDLE process = ::GetCurrentProcess();
  if (!::DuplicateHandle(process, handle, process, &duplicate, 0, FALSE, DUPLICATE_SAME_ACCESS)) return;
  const int opened = ::_open_osfhandle(reinterpret_cast<intptr_t>(duplicate), _O_BINARY);
  if (opened < 0) {
    ::CloseHandle(duplicate);
    return;
  }
  ::_dup2(opened, descriptor);
  ::_close(opened);
}

// One direction of a pipe, file or console.
class Channel {
 public:
  explicit Channel(OwnedHandle handle)
      : handle_(std::move(handle)),
        finished_(make_event(true)),
        is_pipe_(handle_.is_valid() && ::GetFileType(handle_.get()) == FILE_TYPE_PIPE) {}

  [[nodiscard]] bool is_open() const { return handle_.is_valid(); }
  [[nodiscard]] bool is_pipe() const { return is_pipe_; }

  struct Transfer {
    bool succeeded;
    DWORD size;
  };

  Transfer read(char* buffer, DWORD size) {
    return transfer(
        [&](DWORD* done, OVERLAPPED* overlapped) { return ::ReadFile(handle_.get(), buffer, size, done, overlapped); });
  }
  Transfer write(const char* bytes, DWORD size) {
    return transfer(
        [&](DWORD* done, OVERLAPPED* overlapped) { return ::WriteFile(handle_.get(), bytes, size, done, overlapped); });
  }

 private:
  // A client may hand over an overlapped pipe, which must not be used without an OVERLAPPED; a synchronous pipe takes
  // one too. A file would take its offset from it.
  template <class Operation>
  Transfer transfer(Operation operation) {
    DWORD size = 0;
    if (!is_pipe_) return {operation(&size, nullptr) != FALSE, size};
    OVERLAPPED overlapped{};
    overlapped.hEvent = finished_.get();
    if (operation(nullptr, &overlapped) == FALSE && ::GetLastError() != ERROR_IO_PENDING) return {false, 0};
    const bool succeeded = ::GetOverlappedResult(handle_.get(), &overlapped, &size, TRUE) != FALSE;
    return {succeeded, size};
  }

  OwnedHandle handle_;
  OwnedHandle finished_;
  bool is_pipe_;
};

class StandardStreams final : public ByteStreams {
 public:
  StandardStreams(OwnedHandle input, OwnedHandle output)
      : input_(std::move(input)), output_(std::move(output)), woken_(make_event(false)) {}

  std::size_t read(char* buffer, std::size_t size) override {
    const auto wanted = static_cast<DWORD>(std::min(size, largest_transfer));
    while (input_.is_open()) {
      const auto [succeeded, count] = input_.read(buffer, wanted);
      // Nothing read is the end of a file or console, but on a pipe somebody's empty write.
      if (succeeded && (count > 0 || !input_.is_pipe())) return count;
      if (succeeded || ::GetLastError() == ERROR_NO_DATA) {
        ::Sleep(succeeded ? 0 : retry_interval);
        continue;
      }
      break;
    }
    return 0;
  }

  bool write_all(std::string_view bytes) override {
    while (!bytes.empty()) {
      if (!output_.is_open()) return false;
      const auto [succeeded, count] =
          output_.write(bytes.data(), static_cast<DWORD>(std::min(bytes.size(), largest_transfer)));
      if (!succeeded) return false;
      // A full pipe in PIPE_NOWAIT mode; Windows offers nothing to wait on.
      if (count == 0) ::Sleep(retry_interval);
      bytes.remove_prefix(count);
    }
    return true;
  }

  // What a pipe has room for is not told.
  std::size_t write_now(std::string_view) override { return 0; }
  bool wait() override {
    ::WaitForSingleObject(woken_.get(), INFINITE);
    return true;
  }

  void wake() override { ::SetEvent(woken_.get()); }

 private:
  static constexpr std::size_t largest_transfer = 64 * 1'024;
  static constexpr DWORD retry_interval = 10;  // milliseconds

  Channel input_;
  Channel output_;
  OwnedHandle woken_;
};

}  // namespace

// Windows gives new files no number of their own: a missing handle stays missing.
void open_missing_standard_descriptors() {}

std::unique_ptr<ByteStreams> take_standard_streams() {
  OwnedHandle input = private_copy(STD_INPUT_HANDLE);
  OwnedHandle output = private_copy(STD_OUTPUT_HANDLE);

  const HANDLE error_output = ::GetStdHandle(STD_ERROR_HANDLE);
  OwnedHandle null_device = open_null_device();
  if (null_device.is_valid()) {
    replace_descriptor(0, null_device.get());
    ::SetStdHandle(STD_INPUT_HANDLE, null_device.release());
  }
  if (error_output != nullptr && error_output != INVALID_HANDLE_VALUE) replace_descriptor(1, error_output);
  ::SetStdHandle(STD_OUTPUT_HANDLE, error_output);
  return std::make_unique<StandardStreams>(std::move(input), std::move(output));
}

}  // namespace cowork_terminal::jsonrpc
