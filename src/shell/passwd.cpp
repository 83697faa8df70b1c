#include "shell/passwd.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace cowork_terminal::shell {

namespace {

// Nothing left: an empty view.
std::string_view take_until(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const auto piece = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return piece;
}

bool is_number(std::string_view text, unsigned long wanted) {
  unsigned long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number == wanted;
}

}  // namespace

std::optional<PasswdEntry> find_passwd_entry(std::string_view passwd, unsigned long uid) {
  while (!passwd.empty()) {
    std::string_view line = take_until(passwd, '\n');
    if (std::count(line.begin(), line.end(), ':') != 6) continue;
    std::vector<std::string_view> fields;
    while (fields.size() < 7) fields.push_back(take_until(line, ':'));
    if (is_number(fields[2], uid)) return PasswdEntry{std::string{fields[5]}, std::string{fields[6]}};
  }
  return std::nullopt;
}

}  // namespace cowork_terminal::shell
