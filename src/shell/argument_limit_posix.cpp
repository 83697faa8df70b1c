#include "shell/argument_limit.hpp"

namespace cowork_terminal::shell {

std::size_t argument_limit() {
  // Linux: MAX_ARG_STRLEN, 32 pages with the NUL, of 4 KiB at least. macOS limits only the sum of all arguments and the
  // environment, to 1 MiB: the same bound leaves the environment its room.
  constexpr std::size_t max_arg_strlen = std::size_t{32} * 4'096;
  return max_arg_strlen - 1;
}

}  // namespace cowork_terminal::shell
