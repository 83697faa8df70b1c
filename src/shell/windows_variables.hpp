#pragma once

#include <cowork_terminal/process/environment.hpp>

namespace cowork_terminal::shell {

// PATHEXT, SystemRoot and COMSPEC get their usual values when missing or empty (contract C-18): without the first, bash
// finds no .exe by its plain name; without the second, sockets and cryptography fail in most programs.
void repair_windows_variables(process::Environment& environment);

// The above on Windows, nothing elsewhere.
void repair_system_variables(process::Environment& environment);

}  // namespace cowork_terminal::shell
