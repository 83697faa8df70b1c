#include <windows.h>

#include <cowork_terminal/process/private_access.hpp>
#include <cowork_terminal/process/windows_text.hpp>
#include <limits>
#include <utility>

#include "policy/log_file.hpp"

namespace cowork_terminal::policy {

namespace {

constexpr DWORD lock_limit_ms = 1'000;

// Why the log cannot be written, as a phrase; caught in append_to_log().
struct Problem {
  std::string text;
};

[[noreturn]] void fail(const std::wstring& what, DWORD error) {
  throw Problem{process::to_utf8(what) + ": " + process::describe_windows_error(error)};
}

class File {
 public:
  explicit File(HANDLE handle) : handle_(handle) {}
  File(File&& other) noexcept : handle_(std::exchange(other.handle_, INVALID_HANDLE_VALUE)) {}
  File& operator=(File&&) = delete;
  ~File() {
    if (handle_ != INVALID_HANDLE_VALUE) ::CloseHandle(handle_);
  }
  [[nodiscard]] HANDLE get() const { return handle_; }

 private:
  HANDLE handle_;
};

void make_folders(const std::wstring& folder, process::PrivateAccess& access) {
  const auto is_there = [](const std::wstring& path) {
    return ::GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES;
  };
  if (is_there(folder)) return;
  const auto slash = folder.find_last_of(L"\\/");
  if (slash != std::wstring::npos && slash > 2) make_folders(folder.substr(0, slash), access);
  if (::CreateDirectoryW(folder.c_str(), access.attributes()) == 0 && !is_there(folder)) fail(folder, ::GetLastError());
}

void refuse_link(const std::wstring& path, DWORD attributes) {
  if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) return;
  throw Problem{process::to_utf8(path) + " is a link, through which the log is not written"};
}

File open_file(const std::wstring& path, process::PrivateAccess& access) {
  // Sharing deletion lets another server rename the file while it is open here.
  constexpr DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  File file{::CreateFileW(path.c_str(), FILE_APPEND_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE, sharing,
                          access.attributes(), OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT,
                          nullptr)};
  if (file.get() == INVALID_HANDLE_VALUE) fail(path, ::GetLastError());
  return file;
}

// A byte that no log reaches, since on Windows a lock keeps others from the bytes themselves.
OVERLAPPED lock_place() {
  OVERLAPPED place{};
  place.Offset = std::numeric_limits<DWORD>::max() - 1;
  place.OffsetHigh = std::numeric_limits<LONG>::max();
  return place;
}

// The lock goes with the handle. As on POSIX we do not wait for ever: Windows itself appends a line as a whole.
bool lock(const File& file) {
  const ULONGLONG deadline = ::GetTickCount64() + lock_limit_ms;
  for (;;) {
    OVERLAPPED place = lock_place();
    if (::LockFileEx(file.get(), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) != 0)
      return true;
    if (::GetLastError() != ERROR_LOCK_VIOLATION || ::GetTickCount64() > deadline) return false;
    ::Sleep(1);
  }
}

BY_HANDLE_FILE_INFORMATION information(const File& file, const std::wstring& path) {
  BY_HANDLE_FILE_INFORMATION found{};
  if (::GetFileInformationByHandle(file.get(), &found) == 0) fail(path, ::GetLastError());
  refuse_link(path, found.dwFileAttributes);
  return found;
}

// Whether the file still has its name: another server may have rotated it between our open and our lock.
bool is_current(const std::wstring& path, const BY_HANDLE_FILE_INFORMATION& file) {
  const File named{::CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES,
                                 FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                                 FILE_FLAG_OPEN_REPARSE_POINT, nullptr)};
  BY_HANDLE_FILE_INFORMATION found{};
  return named.get() != INVALID_HANDLE_VALUE && ::GetFileInformationByHandle(named.get(), &found) != 0 &&
         found.nFileIndexLow == file.nFileIndexLow && found.nFileIndexHigh == file.nFileIndexHigh &&
         found.dwVolumeSerialNumber == file.dwVolumeSerialNumber;
}

bool rotate(const std::wstring& path, int kept) {
  for (int number = kept; number > 1; --number) {
    ::MoveFileExW((path + L'.' + std::to_wstring(number - 1)).c_str(), (path + L'.' + std::to_wstring(number)).c_str(),
                  MOVEFILE_REPLACE_EXISTING);
  }
  return ::MoveFileExW(path.c_str(), (path + L".1").c_str(), MOVEFILE_REPLACE_EXISTING) != 0;
}

void append(const File& file, std::string_view line, const std::wstring& path) {
  while (!line.empty()) {
    DWORD written = 0;
    if (::WriteFile(file.get(), line.data(), static_cast<DWORD>(line.size()), &written, nullptr) == 0) {
      fail(path, ::GetLastError());
    }
    line.remove_prefix(written);
  }
}

void append_or_fail(const std::wstring& path, std::string_view line, const Rotation& rotation) {
  const auto slash = path.find_last_of(L"\\/");
  if (slash == std::wstring::npos) throw Problem{process::to_utf8(path) + " is not the absolute path of a file"};
  process::PrivateAccess access;
  const std::wstring folder = path.substr(0, slash);
  make_folders(folder, access);
  refuse_link(folder, ::GetFileAttributesW(folder.c_str()));
  for (int attempt = 0;; ++attempt) {
    const File file = open_file(path, access);
    const bool held = lock(file);
    const auto status = information(file, path);
    if (line.empty()) return;
    // Bounded: not every file system gives a file the same number twice.
    if (attempt < 100 && !is_current(path, status)) continue;
    const auto size = (static_cast<std::uint64_t>(status.nFileSizeHigh) << 32) | status.nFileSizeLow;
    if (size > 0 && size + line.size() > rotation.size && held && rotate(path, rotation.kept)) continue;
    return append(file, line, path);
  }
}

}  // namespace

std::optional<std::string> append_to_log(const std::string& file, std::string_view line, const Rotation& rotation) {
  try {
    append_or_fail(process::to_utf16(file), line, rotation);
    return std::nullopt;
  } catch (const Problem& problem) {
    return problem.text;
  }
}

std::int64_t own_process_id() { return static_cast<std::int64_t>(::GetCurrentProcessId()); }

}  // namespace cowork_terminal::policy
