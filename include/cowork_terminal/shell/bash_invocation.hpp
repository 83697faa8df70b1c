#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cowork_terminal::shell {

struct BashInvocation {
  std::vector<std::string> argv;      // argv[0] = bash
  std::optional<std::string> script;  // see process::Command::script
};

// Contract C-15: `bash -c -- COMMAND`, or `bash -- SCRIPT` where one argument cannot carry the command (beyond the kernel's
// limit on POSIX, always on Windows).
BashInvocation invoke_bash(const std::string& bash, std::string command);

}  // namespace cowork_terminal::shell
