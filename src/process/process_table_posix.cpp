#include <algorithm>

#include "process/process_table.hpp"

namespace cowork_terminal::process {

bool ProcessTable::read() {
  entries_.clear();
  const bool whole = read_entries();
  const auto by_pid = [](const ProcessEntry& left, const ProcessEntry& right) { return left.pid < right.pid; };
  if (!std::is_sorted(begin(), end(), by_pid)) std::sort(begin(), end(), by_pid);
  return whole;
}

ProcessEntry* ProcessTable::find(pid_t pid) {
  const auto place =
      std::lower_bound(begin(), end(), pid, [](const ProcessEntry& entry, pid_t wanted) { return entry.pid < wanted; });
  return place != end() && place->pid == pid ? place : nullptr;
}

}  // namespace cowork_terminal::process
