#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "process/private_storage.hpp"

namespace cowork_terminal::process {

namespace {

namespace fs = std::filesystem;

// PREFIX-PID-XXXXXX
void remove_folder_of_dead_process(const fs::path& folder, std::string_view prefix) {
  const auto name = folder.filename().string();
  if (name.rfind(prefix, 0) != 0) return;
  const auto process = static_cast<pid_t>(std::strtol(name.c_str() + prefix.size(), nullptr, 10));
  struct stat status {};
  // Of this user, a true folder, and of a process that is no more.
  if (process <= 0 || lstat(folder.c_str(), &status) != 0 || status.st_uid != geteuid() || !S_ISDIR(status.st_mode))
    return;
  if (kill(process, 0) == 0 || errno != ESRCH) return;
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace

fs::path make_private_folder(std::string_view prefix) {
  std::error_code error;
  const auto place = fs::temp_directory_path(error);
  if (error) return {};
  for (const auto& entry : fs::directory_iterator(place, error)) remove_folder_of_dead_process(entry.path(), prefix);
  auto name = (place / (std::string(prefix) + std::to_string(getpid()) + "-XXXXXX")).string();
  return mkdtemp(name.data()) == nullptr ? fs::path() : fs::path(name);
}

int create_private_file(const fs::path& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

bool write_file(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void close_file(int descriptor) { close(descriptor); }

}  // namespace cowork_terminal::process
