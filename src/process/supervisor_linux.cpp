#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

#include "process/supervisor.hpp"

#if !defined(__SANITIZE_THREAD__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__
#endif
#endif

namespace cowork_terminal::process {

namespace {

#ifdef __SANITIZE_THREAD__
// Its clone() (GCC 12, Clang 14) unlocks in the child what it unlocks in the parent again: they may not share memory.
constexpr int shared_with_program = 0;
// It hears of fork() alone.
constexpr auto* plain_fork = ::fork;
#else
constexpr int shared_with_program = CLONE_VM | CLONE_VFORK;
// POSIX.1-2024: without the handlers of pthread_atfork() and the C library's own locks, which cost a dozen page faults.
constexpr auto* plain_fork = ::_Fork;
#endif

struct Start {
  const Supervision& supervision;
  pid_t supervisor;
};

int run_program(void* argument) {
  const auto& start = *static_cast<const Start*>(argument);
  become_program(start.supervision, start.supervisor);
}

}  // namespace

pid_t fork_supervisor() { return plain_fork(); }

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

// As posix_spawn() does it: a fork would copy page tables that the exec throws away.
pid_t start_program(const Supervision& supervision, pid_t supervisor) {
  alignas(16) static char stack[64 * 1'024];
  Start start{supervision, supervisor};
  return ::clone(run_program, stack + sizeof stack, shared_with_program | SIGCHLD, &start);
}

}  // namespace cowork_terminal::process
