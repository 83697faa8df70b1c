#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "process/script_file.hpp"

namespace cowork_terminal::process {

namespace {

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder == '/' ? folder : "/tmp";
}

}  // namespace

std::unique_ptr<ScriptFile> ScriptFile::make(std::string_view text) {
  std::unique_ptr<ScriptFile> file(new ScriptFile);
  file->descriptor_ = make_nameless_file();
  if (file->descriptor_.is_open() && write_all(file->descriptor(), text)) return file;
  file->descriptor_.reset();

  std::string folder = temporary_folder() + "/cowork-terminal-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return nullptr;
  file->folder_ = std::move(folder);
  file->path_ = file->folder_ + "/script";
  const Descriptor written(::open(file->path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!written.is_open() || !write_all(written.get(), text)) {
    const int error = errno;
    file.reset();
    errno = error;
    return nullptr;
  }
  return file;
}

ScriptFile::~ScriptFile() {
  if (folder_.empty()) return;
  ::unlink(path_.c_str());
  ::rmdir(folder_.c_str());
}

}  // namespace cowork_terminal::process
