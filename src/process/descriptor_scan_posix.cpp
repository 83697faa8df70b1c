#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "process/descriptor_limit.hpp"
#include "process/descriptor_scan.hpp"

namespace cowork_terminal::process {

void close_each_descriptor(int lowest, const int* kept, int kept_count) {
  for (int number = lowest; number < possible_descriptors(); ++number) {
    if (std::find(kept, kept + kept_count, number) == kept + kept_count) ::close(number);
  }
}

void close_each_descriptor_on_exec(int lowest) {
  for (int number = lowest; number < possible_descriptors(); ++number) ::fcntl(number, F_SETFD, FD_CLOEXEC);
}

}  // namespace cowork_terminal::process
