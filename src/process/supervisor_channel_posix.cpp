#include <sys/socket.h>

#include <cerrno>

#include "process/descriptor_passing.hpp"
#include "process/supervisor_channel.hpp"

namespace cowork_terminal::process {

bool send_record(int channel, const SupervisorRecord& record) {
  // A record is far smaller than the least room that a socket reports as writable: it is sent whole or not at all.
  return send_passing(channel, &record, sizeof record, {}) == static_cast<ssize_t>(sizeof record);
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
