#pragma once

#include <cowork_terminal/app/options.hpp>

namespace cowork_terminal::app {

// The subcommand `exec` (contract §6): runs one command by the code of the tool and prints its output; the exit code of
// this program.
int run_exec(ExecOptions options);

}  // namespace cowork_terminal::app
