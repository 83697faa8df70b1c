#pragma once

#include <string>
#include <string_view>

namespace cowork_terminal::shell {

// `C:\x`, `C:/x` or `\\server\share`.
bool is_absolute_windows_path(std::string_view path);

// `/c`, `/c/x` (as Git Bash writes them) and `C:` become `C:\`, `C:\x` and `C:\`, slashes become backslashes.
std::string with_windows_drive(std::string_view path);

// What `cwd` means: absolute as it is, `~` and relative paths from `home`. Nothing is normalised beyond what the names
// say.
std::string absolute_posix_path(std::string_view cwd, std::string_view home);
std::string absolute_windows_path(std::string_view cwd, std::string_view home);

// The one of this system.
std::string absolute_path(std::string_view cwd, std::string_view home);

}  // namespace cowork_terminal::shell
