#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "process/mapped_array.hpp"

// POSIX. The processes of this machine. All of it is async-signal-safe: the supervisor is a fork that never execs.

namespace cowork_terminal::process {

struct ProcessEntry {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  std::uint64_t start = 0;  // with the pid it names a process for good, in units of the system
  bool zombie = false;
};

class ProcessTable {
 public:
  // False when the system does not tell; the entries are then those that it told.
  bool read();

  [[nodiscard]] ProcessEntry* begin() { return entries_.begin(); }
  [[nodiscard]] ProcessEntry* end() { return entries_.end(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] ProcessEntry* find(pid_t pid);

 private:
  bool read_entries();

  MappedArray<ProcessEntry> entries_;  // by pid
};

std::optional<ProcessEntry> read_process(pid_t pid);

// Whether `assignment` ("NAME=value") stood in the environment that the process' program was started with.
[[nodiscard]] bool started_with_variable(pid_t pid, const char* assignment);

}  // namespace cowork_terminal::process
