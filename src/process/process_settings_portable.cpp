#include <sys/resource.h>

#include "process/process_settings.hpp"

namespace cowork_terminal::process {

std::uint64_t digest_of_settings() { return static_cast<std::uint64_t>(::getpriority(PRIO_PROCESS, 0)); }

}  // namespace cowork_terminal::process
