#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "process/supervisor.hpp"

#ifdef __has_feature
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__
#endif
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

// The linker's: the program's code lies between them.
extern "C" char __executable_start;
extern "C" char etext;

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

// Where the heap of the C library begins; null if that cannot be told.
char* begin_of_heap() {
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return nullptr;
  std::uintptr_t begin = 0;
  char line[512];
  while (begin == 0 && std::fgets(line, sizeof line, maps) != nullptr) {
    if (std::strstr(line, "[heap]") != nullptr) begin = std::strtoull(line, nullptr, 16);
  }
  std::fclose(maps);
  return reinterpret_cast<char*>(begin);
}

char* page_of(const void* place) {
  const auto page = static_cast<std::uintptr_t>(::getpagesize());
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(place) / page * page);
}

// Of the heap of the C library all but its front, where a static program has the variables of its main thread, errno
// among them.
std::span<char> heap() {
  static char* const begin = [] {
    char* const heap = begin_of_heap();
    char* const variables = static_cast<char*>(__builtin_thread_pointer());
    if (heap == nullptr || variables < heap || variables >= static_cast<char*>(::sbrk(0))) return heap;
    return page_of(variables) + 2L * ::getpagesize();
  }();
  char* const end = static_cast<char*>(::sbrk(0));
  if (begin == nullptr || end <= begin) return {};
  return {begin, end};
}

// A quarter of a megabyte of the program's pages was needed for the start alone.
bool forget_start() {
  char* const begin = page_of(&__executable_start);
  return ::madvise(begin, static_cast<std::size_t>(&etext - begin), MADV_DONTNEED) == 0;
}

struct Start {
  const Supervision& supervision;
  pid_t supervisor;
};

int run_program(void* argument) {
  const auto& start = *static_cast<const Start*>(argument);
  become_program(start.supervision, start.supervisor);
}

}  // namespace

// A supervisor may live long: what the heap holds just now, the output of other commands too, must not live with it.
pid_t fork_supervisor() {
  [[maybe_unused]] static const bool once = forget_start();
  const std::span<char> not_inherited = heap();
  ::madvise(not_inherited.data(), not_inherited.size(), MADV_DONTFORK);
  const pid_t child = plain_fork();
  if (child == 0) return 0;
  const int error = errno;
  ::madvise(not_inherited.data(), not_inherited.size(), MADV_DOFORK);
  errno = error;
  return child;
}

void be_shown_as(const char* name) { ::prctl(PR_SET_NAME, name); }

bool adopt_orphans() {
  // The program opens its script in our /proc/<pid>/fd, which a file without read permission would close to it.
  ::prctl(PR_SET_DUMPABLE, 1);
  return ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

void continue_when_server_dies() { ::prctl(PR_SET_PDEATHSIG, SIGCONT); }

void die_with(pid_t supervisor) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(127);
}

// As posix_spawn() does it: a fork would copy page tables that the exec throws away.
pid_t start_program(const Supervision& supervision, pid_t supervisor) {
  alignas(16) char stack[64 * 1'024];
  Start start{supervision, supervisor};
  const pid_t program = ::clone(run_program, stack + sizeof stack, shared_with_program | SIGCHLD, &start);
#ifdef __SANITIZE_ADDRESS__
  // The child never returned from its frames, and what guards their variables would be left in our stack.
  ::__asan_unpoison_memory_region(stack, sizeof stack);
#endif
  return program;
}

}  // namespace cowork_terminal::process
