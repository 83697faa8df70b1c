#include <fcntl.h>
#include <sys/event.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cowork_terminal/loop/asio.hpp>
#include <cowork_terminal/process/parent_watch.hpp>
#include <memory>
#include <utility>

namespace cowork_terminal::process {

namespace {

using boost::asio::posix::stream_descriptor;

}  // namespace

void when_parent_dies(loop::EventLoop& loop, std::function<void()> died) {
  const auto parent = getppid();
  if (parent <= 1) return;
  // A kqueue is itself a descriptor that becomes readable when it holds an event.
  const int queue = kqueue();
  if (queue < 0) return;
  fcntl(queue, F_SETFD, FD_CLOEXEC);
  struct kevent event {};
  EV_SET(&event, static_cast<uintptr_t>(parent), EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, nullptr);
  if (kevent(queue, &event, 1, nullptr, 0, nullptr) < 0 || getppid() != parent) {
    close(queue);
    if (getppid() != parent) loop.post(std::move(died));
    return;
  }
  auto watch = std::make_shared<stream_descriptor>(loop.asio().context, queue);
  watch->async_wait(stream_descriptor::wait_read,
                    [watch, died = std::move(died)](const boost::system::error_code& error) {
                      if (!error) died();
                    });
}

}  // namespace cowork_terminal::process
