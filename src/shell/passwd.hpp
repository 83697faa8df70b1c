#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cowork_terminal::shell {

// One line of passwd(5), read by hand: getpwuid in a static program loads the libraries of whatever libc is there.
struct PasswdEntry {
  std::string home;
  std::string shell;
};

// The first whole line of `passwd` with this uid; lines that are not of the form are passed over.
std::optional<PasswdEntry> find_passwd_entry(std::string_view passwd, unsigned long uid);

// Our own line of /etc/passwd, read at the first call; always nothing on Windows.
std::optional<PasswdEntry> own_passwd_entry();

}  // namespace cowork_terminal::shell
