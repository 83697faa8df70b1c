#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "registration/file_replacement.hpp"

namespace cowork_terminal::registration {
namespace {

using std::filesystem::path;

[[noreturn]] void fail(const path& file) {
  throw std::filesystem::filesystem_error("cannot write", file, std::error_code(errno, std::generic_category()));
}

// A file beside the target that is gone again unless it has taken the target's place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const path& target) {
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
      path_ = target.parent_path() / ("." + target.filename().string() + "." + std::to_string(::getpid()) + "-" +
                                      std::to_string(attempt) + ".tmp");
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
      if (descriptor_ < 0 && (errno != EEXIST || attempt == 100)) fail(target.parent_path());
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno != EINTR) fail(path_);
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void take_mode_and_owner(const struct stat& model) const {
    struct stat own {};
    if (::fstat(descriptor_, &own) != 0) fail(path_);
    mode_t mode = model.st_mode & 0777U;
    if ((own.st_uid != model.st_uid || own.st_gid != model.st_gid) &&
        ::fchown(descriptor_, model.st_uid, model.st_gid) != 0) {
      if (own.st_uid != model.st_uid) fail(path_);
      // The group cannot be kept: what it was allowed must not pass to another group.
      mode &= ~static_cast<mode_t>(070);
    }
    if (::fchmod(descriptor_, mode) != 0) fail(path_);
  }

  void move_to(const path& target) {
    if (::fsync(descriptor_) != 0) fail(path_);
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_);
    if (::rename(path_.c_str(), target.c_str()) != 0) fail(target);
    path_.clear();
  }

 private:
  path path_;
  int descriptor_ = -1;
};

std::optional<struct stat> status_of(const path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return status;
}

// Makes the rename itself durable. A file system that cannot do this has its own ways.
void sync_folder(const path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void require_writable(const path& file) {
  if (::access(file.c_str(), W_OK) != 0 && errno != ENOENT) fail(file);
}

void replace_file(const path& target, std::string_view text, const path& model) {
  TemporaryFile temporary(target);
  temporary.write(text);
  if (const auto status = status_of(model)) temporary.take_mode_and_owner(*status);
  temporary.move_to(target);
  sync_folder(target.parent_path());
}

}  // namespace cowork_terminal::registration
