#pragma once

#include <cowork_terminal/app/options.hpp>
#include <cowork_terminal/registration/surroundings.hpp>

namespace cowork_terminal::app {

// What registration is told of this machine and this person.
registration::Surroundings registration_surroundings();

// The subcommands `install` and `uninstall` (contract §6); the exit code of this program.
int run_install(const InstallOptions& options);
int run_uninstall(const UninstallOptions& options);

}  // namespace cowork_terminal::app
