#include <unistd.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/process/v2/process.hpp>
#include <cerrno>
#include <csignal>
#include <utility>

#include "process/supervisor.hpp"
#include "process/supervisor_source.hpp"

namespace cowork_terminal::process {

namespace {

using Process = boost::process::v2::basic_process<boost::asio::any_io_executor>;

// For calls one after another, and some at once; each costs about half a megabyte.
constexpr std::size_t most_waiting = 4;

// A signal that met the child before it is a supervisor would run the server's handlers on the server's pipes.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

// A launcher for Boost.Process. Its own ones wait for the exec behind a chdir() that may hang, tell the loop of the
// fork in the child too, and leave a failed child through exit() (Boost 1.81): here the child is the supervisor's
// alone.
struct SupervisorLauncher {
  Process operator()(const boost::asio::any_io_executor& executor, int channel,
                     boost::system::error_code& error) const {
    pid_t child = -1;
    {
      const BlockedSignals blocked;
      child = fork_supervisor();
      if (child == 0) supervise(channel);
    }
    if (child < 0) {
      error.assign(errno, boost::system::system_category());
      return Process(executor);
    }
    return Process(executor, child);
  }
};

// The destructor of a process that was not detached kills and waits, maybe for a later bearer of the pid.
struct DetachedAtEnd {
  explicit DetachedAtEnd(Process launched) : process(std::move(launched)) {}
  ~DetachedAtEnd() { process.detach(); }
  DetachedAtEnd(const DetachedAtEnd&) = delete;
  DetachedAtEnd& operator=(const DetachedAtEnd&) = delete;

  Process process;
};

}  // namespace

void SupervisorProcess::signal(int number) const {
  if (!reaped_) ::kill(pid_, number);
}

SupervisorSource::SupervisorSource(boost::asio::io_context& loop) : loop_(loop), children_(loop, SIGCHLD) {}

std::variant<WaitingSupervisor, int> SupervisorSource::get() {
  if (waiting_.empty()) return fork();
  WaitingSupervisor supervisor = std::move(waiting_.back());
  waiting_.pop_back();
  // Somebody may have stopped it.
  supervisor.process->signal(SIGCONT);
  return supervisor;
}

void SupervisorSource::keep(WaitingSupervisor supervisor) {
  if (waiting_.size() < most_waiting) waiting_.push_back(std::move(supervisor));
}

std::variant<WaitingSupervisor, int> SupervisorSource::fork() {
  auto channel = make_socket_pair();
  if (!channel) return errno;
  boost::system::error_code error;
  Process process = SupervisorLauncher{}(loop_.get_executor(), channel->second.get(), error);
  if (error) return error.value();

  auto supervisor = std::make_shared<SupervisorProcess>(process.id());
  auto owned = std::make_unique<DetachedAtEnd>(std::move(process));
  Process& waited_for = owned->process;
  waited_for.async_wait([supervisor, owned = std::move(owned)](const boost::system::error_code& failure, int) {
    if (!failure) supervisor->was_reaped();
  });
  return WaitingSupervisor{std::move(supervisor), std::move(channel->first)};
}

}  // namespace cowork_terminal::process
