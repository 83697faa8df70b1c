#pragma once

#include <cowork_terminal/process/environment.hpp>
#include <string>

namespace cowork_terminal::policy {

// Where the log is on each system: pure functions of what they are given.
std::string audit_log_on_linux(const process::Environment& environment, const std::string& home);
std::string audit_log_on_macos(const std::string& home);
std::string audit_log_on_windows(const process::Environment& environment, const std::string& home);

}  // namespace cowork_terminal::policy
