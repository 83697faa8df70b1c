#include <sys/syscall.h>
#include <unistd.h>

#include "process/numbered_path.hpp"
#include "process/script_file.hpp"

namespace cowork_terminal::process {

namespace {

constexpr unsigned closed_on_exec = 0x1;
constexpr unsigned not_executable = 0x8;  // Linux 6.3; vm.memfd_noexec = 2 refuses anything else

int make_memory_file(unsigned flags) {
  return static_cast<int>(::syscall(SYS_memfd_create, "cowork-terminal-script", flags));
}

bool seen_in_proc(int descriptor) {
  char path[64];
  write_numbered_path(path, sizeof path, "/proc/self/fd/", descriptor, "");
  return ::access(path, R_OK) == 0;
}

}  // namespace

Descriptor make_nameless_file() {
  Descriptor file(make_memory_file(closed_on_exec | not_executable));
  if (!file.is_open()) file = Descriptor(make_memory_file(closed_on_exec));
  if (file.is_open() && !seen_in_proc(file.get())) file.reset();
  return file;
}

}  // namespace cowork_terminal::process
