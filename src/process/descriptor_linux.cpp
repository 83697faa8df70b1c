#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/descriptor.hpp"
#include "process/descriptor_scan.hpp"

namespace cowork_terminal::process {

namespace {

// Raw: glibc 2.33 and older have no wrapper. Refused before Linux 5.9 (the flag: 5.11) and by some sandboxes.
bool close_range(int first, int last, unsigned flags) {
#ifdef SYS_close_range
  return ::syscall(SYS_close_range, static_cast<unsigned>(first), static_cast<unsigned>(last), flags) == 0;
#else
  return false;
#endif
}

constexpr int last_possible = 0x7fff'ffff;
constexpr unsigned close_on_exec = 1U << 2;

}  // namespace

std::optional<DescriptorPair> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  return DescriptorPair{Descriptor(ends[0]), Descriptor(ends[1])};
}

std::optional<DescriptorPair> make_socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return std::nullopt;
  return DescriptorPair{Descriptor(ends[0]), Descriptor(ends[1])};
}

void close_descriptors_from(int lowest, const int* kept, int kept_count) {
  int first = lowest;
  for (;;) {
    int next = last_possible;
    bool found = false;
    for (int i = 0; i < kept_count; ++i) {
      if (kept[i] >= first && kept[i] < next) {
        next = kept[i];
        found = true;
      }
    }
    if (next > first || !found) {
      if (!close_range(first, found ? next - 1 : last_possible, 0)) break;
    }
    if (!found) return;
    first = next + 1;
  }
  close_each_descriptor(lowest, kept, kept_count);
}

void close_descriptors_on_exec(int lowest) {
  if (!close_range(lowest, last_possible, close_on_exec)) close_each_descriptor_on_exec(lowest);
}

}  // namespace cowork_terminal::process
