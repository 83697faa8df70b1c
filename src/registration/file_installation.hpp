#pragma once

#include <cowork_terminal/registration/client.hpp>
#include <cowork_terminal/registration/install.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace cowork_terminal::registration {

// Both work on all of `files` or, if one of them cannot be used, on none. They throw nothing for what they find.
InstallReport install_in_files(const Client& client, const std::vector<std::filesystem::path>& files,
                               const InstallRequest& request, const std::string& next);
InstallReport uninstall_from_files(const Client& client, const std::vector<std::filesystem::path>& files,
                                   const UninstallRequest& request, const std::string& next);

}  // namespace cowork_terminal::registration
