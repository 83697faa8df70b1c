#pragma once

#include <cowork_terminal/app/options.hpp>

namespace cowork_terminal::app {

// The subcommand `doctor` (contract §6): checks everything a user would otherwise have to guess, and prints a remedy
// for what is wrong. 1 if anything is broken, else 0.
int run_doctor(const DoctorOptions& options);

}  // namespace cowork_terminal::app
