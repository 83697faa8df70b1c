#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cowork_terminal::shell {

// The folders a bash of Git for Windows needs before PATH: none for Git\bin\bash.exe, which is a launcher that sets
// them itself, but its own folder and Git\mingw64\bin for Git\usr\bin\bash.exe. `bash` is a path with backslashes.
std::vector<std::string> git_path_prefix(std::string_view bash);

}  // namespace cowork_terminal::shell
