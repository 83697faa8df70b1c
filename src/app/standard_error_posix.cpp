#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstddef>

#include "app/standard_error.hpp"

namespace cowork_terminal::app {

namespace {

enum class Kind { socket, other };

Kind kind_of_standard_error() {
  struct stat status {};
  return fstat(STDERR_FILENO, &status) == 0 && S_ISSOCK(status.st_mode) ? Kind::socket : Kind::other;
}

ssize_t send_now(std::string_view piece) {
#ifdef MSG_NOSIGNAL
  constexpr int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
#else
  constexpr int flags = MSG_DONTWAIT;
#endif
  return send(STDERR_FILENO, piece.data(), piece.size(), flags);
}

// A pipe that poll() calls writable takes PIPE_BUF bytes without waiting (POSIX, write()).
ssize_t write_now(std::string_view piece) {
  pollfd descriptor{STDERR_FILENO, POLLOUT, 0};
  if (poll(&descriptor, 1, 0) != 1 || (descriptor.revents & POLLOUT) == 0) return -1;
  return write(STDERR_FILENO, piece.data(), piece.size());
}

}  // namespace

bool write_standard_error_now(std::string_view line) {
  static const Kind kind = kind_of_standard_error();
  while (!line.empty()) {
    const auto piece = line.substr(0, PIPE_BUF);
    const auto written = kind == Kind::socket ? send_now(piece) : write_now(piece);
    if (written <= 0) return false;
    line.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace cowork_terminal::app
