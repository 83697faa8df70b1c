#pragma once

#include <cowork_terminal/process/environment.hpp>
#include <string>

namespace cowork_terminal::shell {

// The user's shell: $SHELL if it is absolute and there, else our line of /etc/passwd, else /bin/bash or /bin/sh. Shells
// that only refuse a login (nologin, false) do not count. Empty: none, as on Windows.
std::string login_shell(const process::Environment& environment);

}  // namespace cowork_terminal::shell
