#pragma once

#include <cowork_terminal/process/environment.hpp>
#include <cowork_terminal/shell/home_directory.hpp>
#include <functional>
#include <optional>
#include <string>

#include "shell/passwd.hpp"

namespace cowork_terminal::shell {

using IsDirectory = std::function<bool(const std::string& path)>;
using PasswdLookUp = std::function<std::optional<PasswdEntry>()>;  // called only when it is needed

// Contract C-18a, pure functions of what they are given, so that both can be tested on every system.
HomeDirectory search_home_posix(const process::Environment& environment, const PasswdLookUp& look_up,
                                const IsDirectory& is_directory);
HomeDirectory search_home_windows(const process::Environment& environment, const IsDirectory& is_directory);

}  // namespace cowork_terminal::shell
