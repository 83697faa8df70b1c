#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

#include "process/supervisor.hpp"

namespace cowork_terminal::process {

bool adopt_orphans() {
  ::prctl(PR_SET_NAME, "cowork-command");
  // The program opens its script in our /proc/<pid>/fd, which a file without read permission would close to it.
  ::prctl(PR_SET_DUMPABLE, 1);
  return ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

void die_with(pid_t supervisor) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(127);
}

}  // namespace cowork_terminal::process
