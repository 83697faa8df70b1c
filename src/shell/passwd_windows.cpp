#include "shell/passwd.hpp"

namespace cowork_terminal::shell {

std::optional<PasswdEntry> own_passwd_entry() { return std::nullopt; }

}  // namespace cowork_terminal::shell
