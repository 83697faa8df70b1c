#include <cowork_terminal/shell/home_directory.hpp>

#include "shell/directory_state.hpp"
#include "shell/home_search.hpp"

namespace cowork_terminal::shell {

HomeDirectory home_directory(const process::Environment& environment) {
  return search_home_posix(environment, own_passwd_entry,
                           [](const std::string& path) { return directory_state(path) == DirectoryState::directory; });
}

}  // namespace cowork_terminal::shell
