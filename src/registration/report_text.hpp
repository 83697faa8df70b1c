#pragma once

#include <cowork_terminal/registration/client.hpp>
#include <cowork_terminal/registration/install.hpp>
#include <string>
#include <vector>

namespace cowork_terminal::registration {

// A report of something that was not done: exit code 1 and the reason.
InstallReport failed(const std::string& reason);
// The same for wrong use: exit code 2.
InstallReport misused(const std::string& reason);

// What was done to the files, for people; for a dry run what would be done, as diffs. `names` are the entries.
std::string describe_install(const Client& client, const InstallRequest& request, const InstallReport& report,
                             const std::vector<std::string>& names, const std::string& next);
std::string describe_uninstall(const Client& client, const UninstallRequest& request, const InstallReport& report,
                               const std::vector<std::string>& names, const std::string& next);

void add_once(std::vector<std::string>& names, const std::string& name);
// "a", "b" and "c"
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace cowork_terminal::registration
