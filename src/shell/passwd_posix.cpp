#include <unistd.h>

#include <fstream>
#include <iterator>

#include "shell/passwd.hpp"

namespace cowork_terminal::shell {

namespace {

std::optional<PasswdEntry> read_passwd_entry() {
  std::ifstream file("/etc/passwd", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return find_passwd_entry(text, ::getuid());
}

}  // namespace

std::optional<PasswdEntry> own_passwd_entry() {
  static const std::optional<PasswdEntry> entry = read_passwd_entry();
  return entry;
}

}  // namespace cowork_terminal::shell
