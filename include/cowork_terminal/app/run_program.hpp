#pragma once

#include <cowork_terminal/process/command.hpp>

namespace cowork_terminal::app {

struct ProgramRun {
  process::CommandOutcome outcome;
  int signal = 0;  // SIGINT or SIGTERM if it was sent to us meanwhile: the command was ended for it
};

// Runs one command to its end on a loop of its own. Blocks.
ProgramRun run_program(process::Command command);

}  // namespace cowork_terminal::app
