#include <sys/socket.h>
#include <sys/types.h>

#include <cerrno>

#include "process/supervisor_channel.hpp"

namespace cowork_terminal::process {

namespace {

// macOS has SO_NOSIGPIPE instead.
#ifdef MSG_NOSIGNAL
constexpr int send_flags = MSG_DONTWAIT | MSG_NOSIGNAL;
#else
constexpr int send_flags = MSG_DONTWAIT;
#endif

}  // namespace

bool send_record(int channel, const SupervisorRecord& record) {
#ifdef SO_NOSIGPIPE
  const int on = 1;
  ::setsockopt(channel, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  ssize_t sent = 0;
  do {
    sent = ::send(channel, &record, sizeof record, send_flags);
  } while (sent < 0 && errno == EINTR);
  // A record is far smaller than the least room that a socket reports as writable: it is sent whole or not at all.
  return sent == static_cast<ssize_t>(sizeof record);
}

RecordReader::Result RecordReader::read(int channel) {
  if (filled_ == sizeof record_) filled_ = 0;
  while (filled_ < sizeof record_) {
    char* const place = reinterpret_cast<char*>(&record_) + filled_;
    const ssize_t count = ::recv(channel, place, sizeof record_ - filled_, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Result::nothing_yet;
    if (count <= 0) return Result::closed;
    filled_ += static_cast<std::size_t>(count);
  }
  return Result::record;
}

}  // namespace cowork_terminal::process
