#include <sys/resource.h>

#include <algorithm>
#include <optional>

#include "process/descriptor_limit.hpp"

namespace cowork_terminal::process {

namespace {

// Enough for any number of commands here, and a bound for a walk over all numbers: hard limits of 2^30 exist, and macOS
// refuses a soft limit above OPEN_MAX (10240).
constexpr rlim_t enough = 65'536;
constexpr rlim_t open_max_of_macos = 10'240;

std::optional<rlimit> at_start;
int possible = static_cast<int>(enough);

}  // namespace

void raise_descriptor_limit() {
  rlimit limit{};
  if (at_start || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  at_start = limit;
  // What the server inherited may lie above a limit that was lowered since; that is what the walk has to reach.
  possible = static_cast<int>(std::min(std::max(limit.rlim_max, limit.rlim_cur), enough));
  for (const rlim_t wanted : {enough, open_max_of_macos}) {
    rlimit raised = limit;
    raised.rlim_cur = std::min(limit.rlim_max, wanted);
    if (raised.rlim_cur <= limit.rlim_cur || ::setrlimit(RLIMIT_NOFILE, &raised) == 0) return;
  }
}

void restore_descriptor_limit() {
  if (at_start) ::setrlimit(RLIMIT_NOFILE, &*at_start);
}

int possible_descriptors() { return possible; }

}  // namespace cowork_terminal::process
