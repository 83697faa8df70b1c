#pragma once

#include <cowork_terminal/shell/bash_locator.hpp>
#include <stdexcept>
#include <string>

namespace cowork_terminal::app {

// The program cannot do its work at all; the text holds the remedy. Exit code 2 (contract C-14, §6).
class StartupError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The bash that --bash names, or the one that the search finds if `option` is empty. Throws StartupError.
shell::BashLocation require_bash(const std::string& option);

}  // namespace cowork_terminal::app
