#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/process/v2/posix/default_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <cerrno>
#include <csignal>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "process/descriptor.hpp"
#include "process/supervisor_process.hpp"

namespace cowork_terminal::process {

namespace {

namespace bp = boost::process::v2;
using Process = bp::basic_process<boost::asio::any_io_executor>;

// Ours are the only lines that run in the child: the launcher's own end there closes descriptors wrongly (Boost 1.81)
// and leaves through exit(), and its pipe would make the loop wait for the exec behind a chdir() that may hang.
struct SuperviseInChild {
  const Supervision& supervision;

  template <class Launcher, class Path>
  boost::system::error_code on_exec_setup(Launcher&, const Path&, const char* const*&) {
    supervise(supervision);
  }
};

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

// The destructor of a process that was not detached kills and waits, maybe for a later bearer of the pid.
struct DetachedAtEnd {
  DetachedAtEnd(boost::asio::any_io_executor executor, pid_t pid) : process(std::move(executor), pid) {}
  ~DetachedAtEnd() { process.detach(); }
  DetachedAtEnd(const DetachedAtEnd&) = delete;
  DetachedAtEnd& operator=(const DetachedAtEnd&) = delete;

  Process process;
};

// Boost opens descriptors after the fork too, where a failure would come too late. 0 or errno.
int lack_of_descriptors(int any_descriptor) {
  std::array<Descriptor, 8> spare;
  for (Descriptor& descriptor : spare) {
    descriptor = Descriptor(::fcntl(any_descriptor, F_DUPFD_CLOEXEC, 0));
    if (!descriptor.is_open()) return errno;
  }
  return 0;
}

}  // namespace

void SupervisorProcess::signal(int number) const {
  if (!reaped_) ::kill(pid_, number);
}

std::variant<std::shared_ptr<SupervisorProcess>, int> SupervisorForker::fork(const Supervision& supervision) {
  if (const int lack = lack_of_descriptors(supervision.channel)) return lack;
  const pid_t server = ::getpid();
  bp::posix::default_launcher launcher;
  boost::system::error_code error;
  try {
    // The launcher tells its context of the fork, in the child too. A fresh one has nothing to do there: no lock that
    // somebody holds, no descriptor to open anew (which may fail), and the loop's own are left alone.
    boost::asio::io_context never_run;
    const boost::asio::any_io_executor executor = never_run.get_executor();
    const BlockedSignals blocked;
    const std::vector<std::string> no_arguments;
    launcher(executor, error, supervision.argv[0], no_arguments, SuperviseInChild{supervision}).detach();
  } catch (const boost::system::system_error& failure) {
    error = failure.code();
  } catch (...) {
    if (::getpid() == server) throw;
  }
  if (::getpid() != server) ::_exit(127);

  if (error) {
    // Boost before 1.88 leaves the child of a failed launch as a zombie.
    if (launcher.pid > 0) {
      ::kill(launcher.pid, SIGKILL);
      ::waitpid(launcher.pid, nullptr, 0);
    }
    return error.value() != 0 ? error.value() : EAGAIN;
  }
  auto supervisor = std::make_shared<SupervisorProcess>(launcher.pid);
  reap(supervisor);
  return supervisor;
}

void SupervisorForker::reap(std::shared_ptr<SupervisorProcess> supervisor) {
  const boost::asio::any_io_executor executor = loop_.get_executor();
  auto owned = std::make_unique<DetachedAtEnd>(executor, supervisor->pid());
  Process& process = owned->process;
  process.async_wait(
      [supervisor = std::move(supervisor), owned = std::move(owned)](const boost::system::error_code& error, int) {
        if (!error) supervisor->was_reaped();
      });
}

}  // namespace cowork_terminal::process
