#pragma once

#include <cowork_terminal/process/environment.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cowork_terminal::shell {

// How a shell is started to report its environment.
enum class ShellStart {
  interactive_login,  // reads all that a terminal window would
  login,              // leaves out the files that may replace or end an interactive shell
};

// A command line for any common shell that prints the environment between two marks.
std::vector<std::string> report_command(const std::string& shell, ShellStart start, std::string_view mark);

// A mark that no profile can print by accident or by showing the command it runs.
std::string new_report_mark();

// The environment in `output`, whatever else was printed before and after it; nothing if it is not there as a whole.
// Variables whose bytes are not valid UTF-8 are left out: they were repaired on the way.
std::optional<process::Environment> parse_report(std::string_view output, std::string_view mark);

}  // namespace cowork_terminal::shell
