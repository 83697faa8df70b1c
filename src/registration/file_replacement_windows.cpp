#include <string>
#include <system_error>

#include "registration/file_replacement.hpp"

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

namespace cowork_terminal::registration {
namespace {

using std::filesystem::path;

[[noreturn]] void fail(const path& file) {
  const std::error_code error(static_cast<int>(::GetLastError()), std::system_category());
  throw std::filesystem::filesystem_error("cannot write", file, error);
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const path& target)
      : path_(target.wstring() + L"." + std::to_wstring(::GetCurrentProcessId()) + L".tmp"),
        handle_(
            ::CreateFileW(path_.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr)) {
    if (handle_ == INVALID_HANDLE_VALUE) fail(target.parent_path());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    close();
    if (!path_.empty()) ::DeleteFileW(path_.c_str());
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const DWORD size = text.size() < 0x100000 ? static_cast<DWORD>(text.size()) : 0x100000;
      DWORD written = 0;
      if (::WriteFile(handle_, text.data(), size, &written, nullptr) == 0) fail(path_);
      text.remove_prefix(written);
    }
    if (::FlushFileBuffers(handle_) == 0) fail(path_);
    close();
  }

  void move_to(const path& target) {
    // ReplaceFileW keeps the old file's access list and attributes, but needs an old file, and some file systems
    // (network shares, FAT) do not have it.
    const bool replaced =
        ::ReplaceFileW(target.c_str(), path_.c_str(), nullptr, REPLACEFILE_IGNORE_MERGE_ERRORS, nullptr, nullptr) != 0;
    if (!replaced &&
        ::MoveFileExW(path_.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0) {
      fail(target);
    }
    path_.clear();
  }

 private:
  void close() {
    if (handle_ != INVALID_HANDLE_VALUE) ::CloseHandle(handle_);
    handle_ = INVALID_HANDLE_VALUE;
  }

  path path_;
  HANDLE handle_;
};

}  // namespace

void require_writable(const path& file) {
  const DWORD attributes = ::GetFileAttributesW(file.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_READONLY) == 0) return;
  ::SetLastError(ERROR_ACCESS_DENIED);
  fail(file);
}

// A new file has the access list of its folder: under the user's profile, the user alone.
void replace_file(const path& target, std::string_view text, const path& /*model*/) {
  TemporaryFile temporary(target);
  temporary.write(text);
  temporary.move_to(target);
}

}  // namespace cowork_terminal::registration
