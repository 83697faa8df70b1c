#include <unistd.h>

#include "process/supervisor.hpp"

namespace cowork_terminal::process {

pid_t fork_supervisor() { return ::fork(); }

void be_shown_as(const char*) {}

bool adopt_orphans() { return false; }

void continue_when_server_dies() {}

void die_with(pid_t) {}

pid_t start_program(const Supervision& supervision, pid_t supervisor) {
  const pid_t program = ::fork();
  if (program == 0) become_program(supervision, supervisor);
  return program;
}

}  // namespace cowork_terminal::process
