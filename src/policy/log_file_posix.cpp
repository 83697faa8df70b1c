#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "policy/log_file.hpp"

namespace cowork_terminal::policy {

namespace {

using namespace std::chrono_literals;

constexpr auto lock_limit = 1s;
constexpr mode_t of_others = S_IRWXG | S_IRWXO;

// Why the log cannot be written, as a phrase; caught in append_to_log().
struct Problem {
  std::string text;
};

[[noreturn]] void fail(const std::string& what, int error) {
  throw Problem{what + ": " + std::generic_category().message(error)};
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

struct stat status_of(const Descriptor& descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0) fail(path, errno);
  return status;
}

void make_folders(const std::string& folder) {
  for (auto slash = folder.find('/', 1);; slash = folder.find('/', slash + 1)) {
    const std::string path = folder.substr(0, slash);
    if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES) fail(path, errno);
    if (slash == std::string::npos) return;
  }
}

// Opened by its descriptor, so that nothing can be put in the place of the folder from here on.
Descriptor open_folder(const std::string& folder) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int descriptor = ::open(folder.c_str(), flags);
  if (descriptor < 0 && errno == ENOENT) {
    make_folders(folder);
    descriptor = ::open(folder.c_str(), flags);
  }
  // A link is ELOOP or ENOTDIR, which differs between systems.
  struct stat link {};
  const int error = errno;
  if (descriptor < 0 && ::lstat(folder.c_str(), &link) == 0 && S_ISLNK(link.st_mode)) {
    throw Problem{folder + " is a symbolic link, through which the log is not written"};
  }
  if (descriptor < 0) fail(folder, error);
  Descriptor opened{descriptor};
  const auto status = status_of(opened, folder);
  if (status.st_uid != ::geteuid() && status.st_uid != 0) throw Problem{folder + " belongs to another user"};
  if ((status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0) {
    throw Problem{"every user may change what is in " + folder};
  }
  // A folder of this name is our own; any other, of an explicit --audit-log, is left as the user made it.
  const bool ours = folder.ends_with("/cowork-terminal-mcp") && status.st_uid == ::geteuid();
  if (ours && (status.st_mode & of_others) != 0 && ::fchmod(descriptor, S_IRWXU) != 0) fail(folder, errno);
  return opened;
}

Descriptor open_file(const Descriptor& folder, const std::string& name, const std::string& path) {
  // O_NONBLOCK: a FIFO in this place would otherwise block until somebody reads it.
  constexpr int flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int descriptor = ::openat(folder.get(), name.c_str(), flags, S_IRUSR | S_IWUSR);
  if (descriptor < 0 && (errno == ELOOP || errno == EMLINK)) {
    throw Problem{path + " is a symbolic link, through which the log is not written"};
  }
  if (descriptor < 0) fail(path, errno);
  Descriptor opened{descriptor};
  const auto status = status_of(opened, path);
  if (!S_ISREG(status.st_mode)) throw Problem{path + " is not a regular file"};
  if (status.st_uid != ::geteuid()) throw Problem{path + " belongs to another user"};
  if (status.st_nlink > 1) throw Problem{path + " has a second name (a hard link)"};
  if ((status.st_mode & of_others) != 0 && ::fchmod(opened.get(), S_IRUSR | S_IWUSR) != 0) fail(path, errno);
  return opened;
}

// The lock goes with the descriptor. A server that was stopped while it held the lock must not stop all others: after a
// while we append without it, which on a local file is whole and safe all the same, and leave the rotation to others.
enum class Lock { held, not_available };

Lock lock(const Descriptor& file) {
  const auto deadline = std::chrono::steady_clock::now() + lock_limit;
  for (auto pause = 100us;; pause = std::min(pause * 2, 2'000us)) {
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return Lock::held;
    // File systems without locks say ENOLCK, ENOTSUP or EINVAL.
    const bool busy = errno == EWOULDBLOCK || errno == EINTR;
    if (!busy || std::chrono::steady_clock::now() + pause > deadline) return Lock::not_available;
    std::this_thread::sleep_for(pause);
  }
}

// Whether the file still has its name: another server may have rotated it between our open and our lock.
bool is_current(const Descriptor& folder, const std::string& name, const struct stat& file) {
  struct stat named {};
  return ::fstatat(folder.get(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == file.st_ino &&
         named.st_dev == file.st_dev;
}

bool rotate(const Descriptor& folder, const std::string& name, int kept) {
  for (int number = kept; number > 1; --number) {
    const std::string older = name + '.' + std::to_string(number);
    const std::string newer = name + '.' + std::to_string(number - 1);
    ::renameat(folder.get(), newer.c_str(), folder.get(), older.c_str());
  }
  return ::renameat(folder.get(), name.c_str(), folder.get(), (name + ".1").c_str()) == 0;
}

void append(const Descriptor& file, std::string_view line, const std::string& path, off_t size, Lock held) {
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t count = ::write(file.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      // Half a line would spoil the next one.
      if (rest.size() < line.size() && held == Lock::held && ::ftruncate(file.get(), size) != 0) fail(path, errno);
      fail(path, error);
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

void append_or_fail(const std::string& path, std::string_view line, const Rotation& rotation) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos || slash + 1 == path.size())
    throw Problem{path + " is not the absolute path of a file"};
  const std::string name = path.substr(slash + 1);
  const Descriptor folder = open_folder(slash == 0 ? "/" : path.substr(0, slash));
  for (int attempt = 0;; ++attempt) {
    const Descriptor file = open_file(folder, name, path);
    if (line.empty()) return;
    const Lock held = lock(file);
    const auto status = status_of(file, path);
    // Bounded: not every file system gives a file the same number twice.
    if (attempt < 100 && !is_current(folder, name, status)) continue;
    const bool full = status.st_size > 0 && static_cast<std::uint64_t>(status.st_size) + line.size() > rotation.size;
    if (full && held == Lock::held && rotate(folder, name, rotation.kept)) continue;
    return append(file, line, path, status.st_size, held);
  }
}

}  // namespace

std::optional<std::string> append_to_log(const std::string& file, std::string_view line, const Rotation& rotation) {
  try {
    append_or_fail(file, line, rotation);
    return std::nullopt;
  } catch (const Problem& problem) {
    return problem.text;
  }
}

std::int64_t own_process_id() { return ::getpid(); }

}  // namespace cowork_terminal::policy
