#pragma once

#include <string>

namespace cowork_terminal::shell {

enum class DirectoryState {
  directory,
  missing,
  not_a_directory,
  unreadable,  // a folder on the way to it may not be entered
};

// Links are followed. `path` is UTF-8 (POSIX: bytes).
DirectoryState directory_state(const std::string& path);

}  // namespace cowork_terminal::shell
