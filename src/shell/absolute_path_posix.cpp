#include "shell/absolute_path.hpp"

namespace cowork_terminal::shell {

std::string absolute_path(std::string_view cwd, std::string_view home) { return absolute_posix_path(cwd, home); }

}  // namespace cowork_terminal::shell
