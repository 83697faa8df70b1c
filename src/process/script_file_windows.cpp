#include "process/script_file_windows.hpp"

#include <algorithm>
#include <cowork_terminal/process/windows_text.hpp>
#include <stdexcept>

#include "process/script_folder_windows.hpp"

namespace cowork_terminal::process {

namespace {

std::wstring next_path() {
  static unsigned counter = 0;
  return script_folder() + L'\\' + std::to_wstring(++counter);
}

UniqueHandle create(const std::wstring& path) {
  // Delete-on-close is what removes the file after a crash of ours too. It wants everybody else to share deletion,
  // which the MSYS runtime does with every file it opens.
  return UniqueHandle{::CreateFileW(path.c_str(), GENERIC_WRITE | DELETE,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, CREATE_NEW,
                                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr)};
}

bool write_all(HANDLE file, std::string_view bytes) {
  constexpr std::size_t most = 1'024 * 1'024;
  while (!bytes.empty()) {
    DWORD written = 0;
    const auto size = static_cast<DWORD>(std::min(bytes.size(), most));
    if (::WriteFile(file, bytes.data(), size, &written, nullptr) == 0) return false;
    bytes.remove_prefix(written);
  }
  return true;
}

[[noreturn]] void fail(DWORD error) {
  throw std::runtime_error("The command could not be written to a file for bash in " + to_utf8(script_folder()) + ": " +
                           describe_windows_error(error) +
                           ". Set TEMP, for the server, to a folder that can be written.");
}

}  // namespace

ScriptFile::ScriptFile(std::string_view bytes) {
  [[maybe_unused]] static const bool swept = (sweep_old_script_folders(), true);
  const std::wstring path = next_path();
  DWORD error = ERROR_SUCCESS;
  // Twice, because another server's sweep may take the folder while it is still empty.
  for (int attempt = 0; !handle_ && attempt < 2; ++attempt) {
    error = create_script_folder();
    handle_ = create(path);
    if (!handle_ && (error == ERROR_SUCCESS || error == ERROR_ALREADY_EXISTS)) error = ::GetLastError();
  }
  if (!handle_) fail(error);
  if (!write_all(handle_.get(), bytes)) fail(::GetLastError());
  path_ = to_utf8(path);
  std::replace(path_.begin(), path_.end(), '\\', '/');
}

ScriptFile::~ScriptFile() {
  if (!handle_) return;
  handle_.reset();
  remove_script_folder();
}

}  // namespace cowork_terminal::process
