#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <memory>
#include <variant>

#include "process/supervisor.hpp"

namespace cowork_terminal::process {

// POSIX. The child process that supervises one command, as its server sees it.
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

// Forks supervisors and reaps them on the loop. All use of Boost.Process is behind this class.
class SupervisorForker {
 public:
  explicit SupervisorForker(boost::asio::io_context& loop);

  // Or errno. Does not wait for the program.
  std::variant<std::shared_ptr<SupervisorProcess>, int> fork(const Supervision& supervision);

 private:
  boost::asio::io_context& loop_;
  boost::asio::signal_set children_;  // registered once, instead of at the start and end of each process
};

}  // namespace cowork_terminal::process
