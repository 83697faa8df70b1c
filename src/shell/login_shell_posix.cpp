#include "shell/bash_system.hpp"
#include "shell/login_shell.hpp"
#include "shell/passwd.hpp"

namespace cowork_terminal::shell {

namespace {

bool is_usable(const std::string& shell) {
  return shell.starts_with('/') && !shell.ends_with("/nologin") && !shell.ends_with("/false") &&
         is_executable_file(shell);
}

}  // namespace

std::string login_shell(const process::Environment& environment) {
  if (auto shell = environment.get("SHELL"); shell && is_usable(*shell)) return *shell;
  const auto entry = own_passwd_entry();
  for (const std::string& shell : {entry ? entry->shell : "", std::string{"/bin/bash"}, std::string{"/bin/sh"}}) {
    if (is_usable(shell)) return shell;
  }
  return {};
}

}  // namespace cowork_terminal::shell
