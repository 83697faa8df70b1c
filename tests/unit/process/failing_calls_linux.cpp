#include <dlfcn.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "failing_calls.hpp"

namespace {

// Shared with the forks of this process.
struct Armed {
  char function[32] = "";
  std::atomic<int> calls_left{0};
  int error = 0;
  std::atomic<bool> failed{false};
  pid_t process = 0;
  cowork_terminal::process::testing::Where where{};
};

Armed& armed() {
  static Armed* const shared = [] {
    void* memory = ::mmap(nullptr, sizeof(Armed), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return new (memory) Armed;
  }();
  return *shared;
}

bool fails(const char* function) {
  using cowork_terminal::process::testing::Where;
  Armed& how = armed();
  if (how.calls_left <= 0 || std::strcmp(how.function, function) != 0) return false;
  if ((how.where == Where::here) != (::getpid() == how.process)) return false;
  if (--how.calls_left != 0) return false;
  how.failed = true;
  errno = how.error;
  return true;
}

}  // namespace

namespace cowork_terminal::process::testing {

void fail_call(const std::string& function, int nth, int error, Where where) {
  Armed& how = armed();
  std::strncpy(how.function, function.c_str(), sizeof how.function - 1);
  how.error = error;
  how.failed = false;
  how.process = ::getpid();
  how.where = where;
  how.calls_left = nth;
}

bool disarm() {
  armed().calls_left = 0;
  return armed().failed;
}

}  // namespace cowork_terminal::process::testing

// The real functions, whatever the linker put in between (a sanitizer, for instance). They are found before main() and
// so before any fork, because dlsym() may allocate; what is called earlier than that finds its own.
namespace {

template <class Function>
struct Real {
  const char* name;
  Function* function;

  Function* get() {
    if (function == nullptr) function = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
    return function;
  }
};

Real<int(int*, int)> real_pipe2{"pipe2", nullptr};
Real<int(int, int, int, int*)> real_socketpair{"socketpair", nullptr};
Real<int(int, int, int, epoll_event*)> real_epoll_ctl{"epoll_ctl", nullptr};
Real<pid_t()> real_fork{"fork", nullptr};
Real<pid_t()> real_plain_fork{"_Fork", nullptr};
Real<int(int, int)> real_dup2{"dup2", nullptr};
Real<int(const char*)> real_chdir{"chdir", nullptr};
Real<int(const char*, char* const*, char* const*)> real_execve{"execve", nullptr};
Real<ssize_t(int, void*, size_t)> real_read{"read", nullptr};
Real<ssize_t(int, const void*, size_t)> real_write{"write", nullptr};
Real<ssize_t(int, void*, size_t, int)> real_recv{"recv", nullptr};
Real<ssize_t(int, msghdr*, int)> real_recvmsg{"recvmsg", nullptr};
Real<ssize_t(int, const msghdr*, int)> real_sendmsg{"sendmsg", nullptr};

[[maybe_unused]] const bool all_found = real_pipe2.get() && real_socketpair.get() && real_epoll_ctl.get() &&
                                        real_fork.get() && real_plain_fork.get() && real_dup2.get() &&
                                        real_chdir.get() && real_execve.get() && real_read.get() && real_write.get() &&
                                        real_recv.get() && real_recvmsg.get() && real_sendmsg.get();

}  // namespace

extern "C" {

int pipe2(int ends[2], int flags) noexcept { return fails("pipe2") ? -1 : real_pipe2.get()(ends, flags); }
int socketpair(int domain, int type, int protocol, int ends[2]) noexcept {
  return fails("socketpair") ? -1 : real_socketpair.get()(domain, type, protocol, ends);
}
int epoll_ctl(int epoll, int operation, int descriptor, epoll_event* event) noexcept {
  return fails("epoll_ctl") ? -1 : real_epoll_ctl.get()(epoll, operation, descriptor, event);
}
pid_t fork() noexcept { return fails("fork") ? -1 : real_fork.get()(); }
pid_t _Fork() noexcept { return fails("fork") ? -1 : real_plain_fork.get()(); }
int dup2(int from, int to) noexcept { return fails("dup2") ? -1 : real_dup2.get()(from, to); }
int chdir(const char* path) noexcept { return fails("chdir") ? -1 : real_chdir.get()(path); }
int execve(const char* path, char* const argv[], char* const environment[]) noexcept {
  return fails("execve") ? -1 : real_execve.get()(path, argv, environment);
}
ssize_t read(int descriptor, void* buffer, size_t size) {
  return fails("read") ? -1 : real_read.get()(descriptor, buffer, size);
}
ssize_t write(int descriptor, const void* buffer, size_t size) {
  return fails("write") ? -1 : real_write.get()(descriptor, buffer, size);
}
ssize_t recv(int socket, void* buffer, size_t size, int flags) {
  return fails("recv") ? -1 : real_recv.get()(socket, buffer, size, flags);
}
ssize_t recvmsg(int socket, msghdr* message, int flags) {
  return fails("recvmsg") ? -1 : real_recvmsg.get()(socket, message, flags);
}
ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  return fails("sendmsg") ? -1 : real_sendmsg.get()(socket, message, flags);
}

}  // extern "C"
