#include <sys/proc.h>
#include <sys/sysctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "process/process_table.hpp"

namespace cowork_terminal::process {

namespace {

ProcessEntry entry_of(const kinfo_proc& process) {
  ProcessEntry entry;
  entry.pid = process.kp_proc.p_pid;
  entry.parent = process.kp_eproc.e_ppid;
  entry.group = process.kp_eproc.e_pgid;
  entry.session = ::getsid(entry.pid);
  const timeval start = process.kp_proc.p_starttime;
  entry.start = static_cast<std::uint64_t>(start.tv_sec) * 1'000'000U + static_cast<std::uint64_t>(start.tv_usec);
  entry.zombie = process.kp_proc.p_stat == SZOMB;
  return entry;
}

constexpr std::size_t spare = 64;  // for processes that start between the two calls

}  // namespace

std::optional<ProcessEntry> read_process(pid_t pid) {
  int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, pid};
  kinfo_proc process{};
  std::size_t size = sizeof process;
  if (::sysctl(name, 4, &process, &size, nullptr, 0) != 0 || size < sizeof process) return std::nullopt;
  return entry_of(process);
}

bool ProcessTable::read_entries() {
  int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_ALL};
  MappedArray<kinfo_proc> processes;
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::size_t size = 0;
    if (::sysctl(name, 3, nullptr, &size, nullptr, 0) != 0) return false;
    if (!processes.resize(size / sizeof(kinfo_proc) + spare)) return false;
    size = processes.size() * sizeof(kinfo_proc);
    if (::sysctl(name, 3, processes.begin(), &size, nullptr, 0) != 0) continue;
    processes.resize(size / sizeof(kinfo_proc));
    for (const kinfo_proc& process : processes) {
      if (process.kp_proc.p_pid > 0 && !entries_.push_back(entry_of(process))) return false;
    }
    return true;
  }
  return false;
}

bool started_with_variable(pid_t pid, const char* assignment) {
  int name[] = {CTL_KERN, KERN_PROCARGS2, pid};
  // argc, the path, the arguments and the environment, each string with its NUL: at most ARG_MAX and a little.
  static MappedArray<char> memory;
  if (!memory.resize(2'000'000)) return false;
  std::size_t size = memory.size();
  if (::sysctl(name, 3, memory.begin(), &size, nullptr, 0) != 0) return false;
  std::string_view text(memory.begin(), size);
  const std::size_t length = std::strlen(assignment);
  for (std::size_t place = text.find(assignment); place != std::string_view::npos;
       place = text.find(assignment, place + 1)) {
    const bool starts = place > 0 && text[place - 1] == '\0';
    const bool ends = place + length == text.size() || text[place + length] == '\0';
    if (starts && ends) return true;
  }
  return false;
}

}  // namespace cowork_terminal::process
