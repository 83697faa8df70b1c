#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "process/descriptor.hpp"
#include "process/numbered_path.hpp"
#include "process/process_table.hpp"

namespace cowork_terminal::process {

namespace {

std::size_t read_up_to(int descriptor, char* buffer, std::size_t size) {
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t count = ::read(descriptor, buffer + filled, size - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

template <class Number>
Number number_of(std::string_view text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// proc(5), /proc/pid/stat: the name stands in parentheses and may hold anything, so the fields are counted from the
// last one. Field 3 is the state, 4 the parent, 5 the group, 6 the session, 22 the start in clock ticks.
std::optional<ProcessEntry> parse_stat(std::string_view text) {
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos || name_end + 2 >= text.size()) return std::nullopt;
  ProcessEntry entry;
  entry.pid = number_of<pid_t>(text);
  text.remove_prefix(name_end + 2);
  for (int field = 3; field <= 22; ++field) {
    const std::size_t space = text.find(' ');
    const std::string_view value = text.substr(0, space);
    if (field == 3) entry.zombie = value == "Z" || value == "X" || value == "x";
    if (field == 4) entry.parent = number_of<pid_t>(value);
    if (field == 5) entry.group = number_of<pid_t>(value);
    if (field == 6) entry.session = number_of<pid_t>(value);
    if (field == 22) entry.start = number_of<std::uint64_t>(value);
    if (space == std::string_view::npos) return field == 22 ? std::optional(entry) : std::nullopt;
    text.remove_prefix(space + 1);
  }
  return entry;
}

struct DirectoryRecord {
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[1];
};

}  // namespace

std::optional<ProcessEntry> read_process(pid_t pid) {
  char path[64];
  write_numbered_path(path, sizeof path, "/proc/", pid, "/stat");
  const Descriptor file(::open(path, O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return std::nullopt;
  char text[1'024];
  const ssize_t size = ::read(file.get(), text, sizeof text);
  if (size <= 0) return std::nullopt;
  return parse_stat({text, static_cast<std::size_t>(size)});
}

bool ProcessTable::read_entries() {
  const Descriptor directory(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open()) return false;
  alignas(DirectoryRecord) char records[16 * 1'024];
  for (;;) {
    // Raw: opendir() calls malloc.
    const long filled = ::syscall(SYS_getdents64, directory.get(), records, sizeof records);
    if (filled <= 0) return filled == 0;
    for (long place = 0; place < filled;) {
      unsigned short size = 0;
      std::memcpy(&size, records + place + offsetof(DirectoryRecord, size), sizeof size);
      const char* name = records + place + offsetof(DirectoryRecord, name);
      place += size;
      if (*name < '1' || *name > '9') continue;
      const auto entry = read_process(number_of<pid_t>(name));
      if (entry && !entries_.push_back(*entry)) return false;
    }
  }
}

bool started_with_variable(pid_t pid, const char* assignment) {
  char path[64];
  write_numbered_path(path, sizeof path, "/proc/", pid, "/environ");
  const Descriptor file(::open(path, O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return false;
  // Of any length, so it is searched in pieces; `matched` characters of the assignment, its NUL included, are seen.
  const std::size_t length = std::strlen(assignment) + 1;
  std::size_t matched = 0;
  bool at_start = true;
  char piece[4'096];
  while (const std::size_t size = read_up_to(file.get(), piece, sizeof piece)) {
    for (std::size_t i = 0; i < size; ++i) {
      if (at_start && piece[i] == assignment[matched]) {
        if (++matched == length) return true;
      } else {
        matched = 0;
        at_start = false;
      }
      if (piece[i] == '\0') {
        matched = 0;
        at_start = true;
      }
    }
  }
  return false;
}

}  // namespace cowork_terminal::process
