#include "process/windows_command_line.hpp"

#include <string_view>

namespace cowork_terminal::process {

namespace {

bool needs_no_quotes(std::string_view argument) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:=+,\\";
  return !argument.empty() && argument.find_first_not_of(plain) == std::string_view::npos;
}

// Backslashes are doubled only where a quotation mark follows them, the closing one included.
void append_quoted(std::string& line, std::string_view argument) {
  line += '"';
  std::size_t backslashes = 0;
  for (const char c : argument) {
    if (c == '"') line.append(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    line += c;
  }
  line.append(backslashes, '\\');
  line += '"';
}

}  // namespace

std::string windows_command_line(const std::vector<std::string>& argv) {
  std::string line;
  for (const auto& argument : argv) {
    if (!line.empty()) line += ' ';
    if (needs_no_quotes(argument)) {
      line += argument;
    } else {
      append_quoted(line, argument);
    }
  }
  return line;
}

}  // namespace cowork_terminal::process
