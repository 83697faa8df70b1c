#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cowork_terminal/jsonrpc/standard_streams.hpp>
#include <csignal>
#include <string>
#include <system_error>
#include <utility>

#include "jsonrpc/descriptor_streams_posix.hpp"

namespace cowork_terminal::jsonrpc {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF; }

Descriptor open_null_device(int flags) {
  const int number = ::open("/dev/null", flags);
  if (number < 0) fail("cannot open /dev/null");
  return Descriptor{number};
}

Descriptor private_copy(int descriptor) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (copy < 0) fail("cannot duplicate descriptor " + std::to_string(descriptor));
  return Descriptor{copy};
}

void put_in_place(int descriptor, int place) {
  while (::dup2(descriptor, place) < 0) {
    if (errno != EINTR && errno != EBUSY) fail("cannot replace descriptor " + std::to_string(place));
  }
}

}  // namespace

void open_missing_standard_descriptors() {
  constexpr std::array<std::pair<int, int>, 3> descriptors{
      {{STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}}};
  for (const auto& [descriptor, flags] : descriptors) {
    if (is_open(descriptor)) continue;
    // The lowest free number is the missing one. Leaked on purpose: it lives as long as the program.
    if (::open("/dev/null", flags) < 0) fail("cannot open /dev/null for descriptor " + std::to_string(descriptor));
  }
}

std::unique_ptr<ByteStreams> take_standard_streams() {
  open_missing_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);

  Descriptor input = private_copy(STDIN_FILENO);
  Descriptor output = private_copy(STDOUT_FILENO);
  auto streams = std::make_unique<DescriptorStreams>(std::move(input), std::move(output));
  put_in_place(open_null_device(O_RDONLY | O_CLOEXEC).number(), STDIN_FILENO);
  put_in_place(STDERR_FILENO, STDOUT_FILENO);
  return streams;
}

}  // namespace cowork_terminal::jsonrpc
