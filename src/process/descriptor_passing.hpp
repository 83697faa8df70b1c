#pragma once

#include <sys/types.h>

#include <cstddef>

namespace cowork_terminal::process {

// Descriptors that go along with bytes over a stream socket (POSIX sendmsg(), SCM_RIGHTS).
struct PassedDescriptors {
  static constexpr std::size_t most = 3;
  int numbers[most] = {-1, -1, -1};
  std::size_t count = 0;

  void add(int descriptor) { numbers[count++] = descriptor; }
};

// As send() and recv(), but for EINTR. Sending neither blocks nor raises a signal; what is received is close-on-exec
// and the caller's. Async-signal-safe.
ssize_t send_passing(int socket, const void* bytes, std::size_t size, const PassedDescriptors& descriptors);
ssize_t receive_passed(int socket, void* bytes, std::size_t size, int flags, PassedDescriptors& descriptors);

}  // namespace cowork_terminal::process
