#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "process/descriptor.hpp"
#include "process/descriptor_scan.hpp"

namespace cowork_terminal::process {

namespace {

DescriptorPair close_on_exec(const int (&ends)[2]) {
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return DescriptorPair{Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

std::optional<DescriptorPair> make_pipe() {
  int ends[2];
  if (::pipe(ends) != 0) return std::nullopt;
  return close_on_exec(ends);
}

std::optional<DescriptorPair> make_socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return std::nullopt;
  return close_on_exec(ends);
}

void close_descriptors_from(int lowest, const int* kept, int kept_count) {
  close_each_descriptor(lowest, kept, kept_count);
}

void close_descriptors_on_exec(int lowest) { close_each_descriptor_on_exec(lowest); }

}  // namespace cowork_terminal::process
