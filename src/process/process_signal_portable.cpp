#include <cerrno>
#include <csignal>

#include "process/process_signal.hpp"

namespace cowork_terminal::process {

int signal_process(const ProcessEntry& process, int signal) {
  const auto now = read_process(process.pid);
  if (!now || now->start != process.start) return ESRCH;
  return ::kill(process.pid, signal) == 0 ? 0 : errno;
}

}  // namespace cowork_terminal::process
