#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "process/descriptor_passing.hpp"

namespace cowork_terminal::process {

namespace {

// macOS has SO_NOSIGPIPE instead.
#ifdef MSG_NOSIGNAL
constexpr int send_flags = MSG_DONTWAIT | MSG_NOSIGNAL;
#else
constexpr int send_flags = MSG_DONTWAIT;
#endif

// Only the loop thread forks, so that the moment before they are marked harms nobody where the flag is missing.
#ifdef MSG_CMSG_CLOEXEC
constexpr int marked_when_received = MSG_CMSG_CLOEXEC;
#else
constexpr int marked_when_received = 0;
#endif

// A message of one piece and of descriptors.
struct Message {
  Message(void* bytes, std::size_t size) : piece{bytes, size} {
    header.msg_iov = &piece;
    header.msg_iovlen = 1;
  }

  iovec piece;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof PassedDescriptors::numbers)] = {};
  msghdr header{};
};

void take_descriptors(msghdr& header, PassedDescriptors& descriptors) {
  for (cmsghdr* control = CMSG_FIRSTHDR(&header); control != nullptr; control = CMSG_NXTHDR(&header, control)) {
    if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) continue;
    descriptors.count = std::min((control->cmsg_len - CMSG_LEN(0)) / sizeof(int), PassedDescriptors::most);
    std::memcpy(descriptors.numbers, CMSG_DATA(control), descriptors.count * sizeof(int));
  }
  if (marked_when_received != 0) return;
  for (std::size_t i = 0; i < descriptors.count; ++i) ::fcntl(descriptors.numbers[i], F_SETFD, FD_CLOEXEC);
}

}  // namespace

ssize_t send_passing(int socket, const void* bytes, std::size_t size, const PassedDescriptors& descriptors) {
#ifdef SO_NOSIGPIPE
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  Message message(const_cast<void*>(bytes), size);
  if (descriptors.count > 0) {
    message.header.msg_control = message.control;
    message.header.msg_controllen = CMSG_SPACE(descriptors.count * sizeof(int));
    cmsghdr* const control = CMSG_FIRSTHDR(&message.header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(descriptors.count * sizeof(int));
    std::memcpy(CMSG_DATA(control), descriptors.numbers, descriptors.count * sizeof(int));
  }
  for (;;) {
    const ssize_t sent = ::sendmsg(socket, &message.header, send_flags);
    if (sent >= 0 || errno != EINTR) return sent;
  }
}

ssize_t receive_passed(int socket, void* bytes, std::size_t size, int flags, PassedDescriptors& descriptors) {
  Message message(bytes, size);
  for (;;) {
    message.header.msg_control = message.control;
    message.header.msg_controllen = sizeof message.control;
    const ssize_t received = ::recvmsg(socket, &message.header, flags | marked_when_received);
    if (received < 0 && errno == EINTR) continue;
    if (received >= 0) take_descriptors(message.header, descriptors);
    return received;
  }
}

}  // namespace cowork_terminal::process
