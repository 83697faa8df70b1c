#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cowork_terminal::shell {

struct BashInvocation {
  std::vector<std::string> argv;      // argv[0] = bash
  std::optional<std::string> script;  // the command itself, byte for byte; see process::Command::script
};

// Contract C-15: `bash -c -- COMMAND`. Where one argument cannot carry the command (beyond the kernel's limit on POSIX,
// always on Windows) a constant command takes its place, which reads the command from the script and evaluates it.
// (`bash SCRIPT` would not do: it ends with 1 instead of 127 on an unset variable, goes on after some errors that end
// `bash -c`, refuses what looks like a binary, and treats a last backslash, `set -t` and FUNCNAME differently.)
BashInvocation invoke_bash(const std::string& bash, std::string command);

}  // namespace cowork_terminal::shell
