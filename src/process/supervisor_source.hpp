#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <memory>
#include <variant>
#include <vector>

#include "process/descriptor.hpp"

namespace cowork_terminal::process {

// POSIX. A child process that supervises commands, one after another, as its server sees it.
class SupervisorProcess {
 public:
  explicit SupervisorProcess(pid_t pid) : pid_(pid) {}

  [[nodiscard]] pid_t pid() const { return pid_; }
  // Nothing is sent once it was reaped.
  void signal(int number) const;
  void was_reaped() { reaped_ = true; }

 private:
  pid_t pid_;
  bool reaped_ = false;
};

// A supervisor that waits for a request.
struct WaitingSupervisor {
  std::shared_ptr<SupervisorProcess> process;
  Descriptor channel;    // the server's end
  bool is_used = false;  // it has served before, and may have died since
};

// Forks supervisors, keeps some that wait for the next request, and reaps all on the loop. All use of Boost.Process is
// behind this class.
class SupervisorSource {
 public:
  explicit SupervisorSource(boost::asio::io_context& loop);

  // One that was kept, or a new one, or errno. Does not block.
  std::variant<WaitingSupervisor, int> get();
  // Of more than a few the rest is let go: without its channel a supervisor ends.
  void keep(WaitingSupervisor supervisor);

 private:
  std::variant<WaitingSupervisor, int> fork();

  boost::asio::io_context& loop_;
  boost::asio::signal_set children_;  // registered once, instead of at the start and end of each process
  std::vector<WaitingSupervisor> waiting_;
};

}  // namespace cowork_terminal::process
