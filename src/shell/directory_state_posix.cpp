#include <sys/stat.h>

#include <cerrno>

#include "shell/directory_state.hpp"

namespace cowork_terminal::shell {

DirectoryState directory_state(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    return S_ISDIR(status.st_mode) ? DirectoryState::directory : DirectoryState::not_a_directory;
  }
  return errno == EACCES ? DirectoryState::unreadable : DirectoryState::missing;
}

}  // namespace cowork_terminal::shell
