#pragma once

#include <cowork_terminal/registration/install.hpp>
#include <cowork_terminal/registration/surroundings.hpp>
#include <string>

namespace cowork_terminal::registration {

// Registration by Claude Code's own program, `claude`, for all projects of the person. Its file is read to see what is
// there, and never written by us.
InstallReport install_by_claude(const std::string& claude, const InstallRequest& request,
                                const Surroundings& surroundings);
InstallReport uninstall_by_claude(const std::string& claude, const UninstallRequest& request,
                                  const Surroundings& surroundings);

}  // namespace cowork_terminal::registration
