#include <fcntl.h>
#include <linux/keyctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

#include "process/descriptor.hpp"
#include "process/process_settings.hpp"

namespace cowork_terminal::process {

namespace {

constexpr int this_process = 0;
constexpr int priority_of_process = 1;  // IOPRIO_WHO_PROCESS

// FNV-1a.
class Digest {
 public:
  void add(const void* bytes, std::size_t size) {
    for (const auto* byte = static_cast<const unsigned char*>(bytes); size > 0; ++byte, --size) {
      value_ = (value_ ^ *byte) * 0x100'0000'01b3U;
    }
  }
  void add(long number) { add(&number, sizeof number); }
  void add_file(const char* path) {
    const Descriptor file(::open(path, O_RDONLY | O_CLOEXEC));
    char piece[1'024];
    ssize_t size = 0;
    while ((size = ::read(file.get(), piece, sizeof piece)) > 0) add(piece, static_cast<std::size_t>(size));
    add(size);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf2'9ce4'8422'2325U;
};

void add_limits(Digest& digest) {
  for (int resource = 0; resource < static_cast<int>(RLIM_NLIMITS); ++resource) {
    rlimit limit{};
    ::getrlimit(static_cast<__rlimit_resource>(resource), &limit);
    digest.add(&limit, sizeof limit);
  }
}

void add_scheduling(Digest& digest) {
  alignas(8) char attributes[128] = {};
  alignas(8) char processors[1'024] = {};
  ::syscall(SYS_sched_getattr, this_process, attributes, sizeof attributes, 0);
  ::syscall(SYS_sched_getaffinity, this_process, sizeof processors, processors);
  digest.add(attributes, sizeof attributes);
  digest.add(processors, sizeof processors);
  digest.add(::syscall(SYS_ioprio_get, priority_of_process, this_process));
  digest.add(::prctl(PR_GET_TIMERSLACK));
}

}  // namespace

std::uint64_t digest_of_settings() {
  Digest digest;
  add_limits(digest);
  add_scheduling(digest);
  digest.add(::syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0));
  for (const char* const path : {"/proc/self/oom_score_adj", "/proc/self/coredump_filter", "/proc/self/cgroup"}) {
    digest.add_file(path);
  }
  return digest.value();
}

}  // namespace cowork_terminal::process
