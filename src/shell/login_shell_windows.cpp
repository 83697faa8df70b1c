#include "shell/login_shell.hpp"

namespace cowork_terminal::shell {

std::string login_shell(const process::Environment&) { return {}; }

}  // namespace cowork_terminal::shell
