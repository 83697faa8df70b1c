#include <windows.h>

#include <cowork_terminal/process/windows_text.hpp>

#include "shell/directory_state.hpp"

namespace cowork_terminal::shell {

DirectoryState directory_state(const std::string& path) {
  const DWORD attributes = ::GetFileAttributesW(process::to_utf16(path).c_str());
  if (attributes != INVALID_FILE_ATTRIBUTES) {
    return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? DirectoryState::directory : DirectoryState::not_a_directory;
  }
  return ::GetLastError() == ERROR_ACCESS_DENIED ? DirectoryState::unreadable : DirectoryState::missing;
}

}  // namespace cowork_terminal::shell
