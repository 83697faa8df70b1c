#include <sys/syscall.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cowork_terminal/loop/asio.hpp>
#include <cowork_terminal/process/parent_watch.hpp>
#include <memory>
#include <utility>

namespace cowork_terminal::process {

namespace {

using boost::asio::posix::stream_descriptor;

int open_pidfd(pid_t process) {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
#else
  static_cast<void>(process);
  return -1;
#endif
}

}  // namespace

void when_parent_dies(loop::EventLoop& loop, std::function<void()> died) {
  const auto parent = getppid();
  if (parent <= 1) return;
  const int descriptor = open_pidfd(parent);
  if (descriptor < 0) return;
  if (getppid() != parent) {
    // It died in between: the number may be another's by now.
    close(descriptor);
    loop.post(std::move(died));
    return;
  }
  auto watch = std::make_shared<stream_descriptor>(loop.asio().context, descriptor);
  watch->async_wait(stream_descriptor::wait_read,
                    [watch, died = std::move(died)](const boost::system::error_code& error) {
                      if (!error) died();
                    });
}

}  // namespace cowork_terminal::process
