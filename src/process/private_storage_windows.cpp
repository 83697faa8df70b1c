#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <cowork_terminal/process/private_access.hpp>
#include <cstdlib>
#include <system_error>

#include "process/private_storage.hpp"
#include "process/unique_handle_windows.hpp"

namespace cowork_terminal::process {

namespace {

namespace fs = std::filesystem;

bool is_running(DWORD process) {
  const UniqueHandle handle(OpenProcess(SYNCHRONIZE, FALSE, process));
  return handle.get() != nullptr && WaitForSingleObject(handle.get(), 0) == WAIT_TIMEOUT;
}

void remove_folder_of_dead_process(const fs::path& folder, std::string_view prefix) {
  const auto name = folder.filename().u8string();
  if (name.size() <= prefix.size() || !std::equal(prefix.begin(), prefix.end(), name.begin())) return;
  const auto process = std::strtoul(std::string(name.begin(), name.end()).c_str() + prefix.size(), nullptr, 10);
  if (process == 0 || is_running(static_cast<DWORD>(process))) return;
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace

fs::path make_private_folder(std::string_view prefix) {
  std::error_code error;
  const auto place = fs::temp_directory_path(error);
  if (error) return {};
  for (const auto& entry : fs::directory_iterator(place, error)) remove_folder_of_dead_process(entry.path(), prefix);
  const auto name =
      std::string(prefix) + std::to_string(GetCurrentProcessId()) + "-" + std::to_string(GetTickCount64());
  const auto folder = place / name;
  PrivateAccess access;
  return ::CreateDirectoryW(folder.c_str(), access.attributes()) != 0 ? folder : fs::path();
}

int create_private_file(const fs::path& path) {
  int descriptor = -1;
  _wsopen_s(&descriptor, path.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _SH_DENYWR,
            _S_IREAD | _S_IWRITE);
  return descriptor;
}

bool write_file(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto piece = static_cast<unsigned>(std::min<std::size_t>(bytes.size(), 1U << 20U));
    const int written = _write(descriptor, bytes.data(), piece);
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void close_file(int descriptor) { _close(descriptor); }

}  // namespace cowork_terminal::process
