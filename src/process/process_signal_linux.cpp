#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "process/descriptor.hpp"
#include "process/process_signal.hpp"

namespace cowork_terminal::process {

namespace {

bool still_the_same(const ProcessEntry& process) {
  const auto now = read_process(process.pid);
  return now && now->start == process.start;
}

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

}  // namespace

int signal_process(const ProcessEntry& process, int signal) {
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0U)));
  if (!handle.is_open() && errno == ESRCH) return ESRCH;
  // The handle is taken first: if the start time is right after that, the handle means the right process.
  if (!still_the_same(process)) return ESRCH;
  if (handle.is_open() && ::syscall(SYS_pidfd_send_signal, handle.get(), signal, nullptr, 0U) == 0) return 0;
  // Before Linux 5.3, or where a sandbox refuses either call; else kill() fails for the same reason.
  return ::kill(process.pid, signal) == 0 ? 0 : errno;
}

}  // namespace cowork_terminal::process
