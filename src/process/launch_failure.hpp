#pragma once

#include <string>

#include "process/supervisor_channel.hpp"

namespace cowork_terminal::process {

// POSIX. Why nothing ran and what to do about it, for the model. `error` is an errno.
std::string no_resources_text(int error);
std::string launch_failure_text(LaunchStep step, int error, const std::string& program,
                                const std::string& working_directory);

}  // namespace cowork_terminal::process
