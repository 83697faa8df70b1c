#pragma once

#include <string>
#include <vector>

#include <cowork_terminal/process/environment.hpp>

namespace cowork_terminal::shell {

// The environment every command starts from, before the call's own `env` (contract C-18): `server` less what the client
// keeps for itself and what would change bash, plus what keeps git, gh and pagers from asking.
process::Environment command_environment(process::Environment server, const std::vector<std::string>& path_prefix);

struct HomeDirectory {
  std::string path;  // absolute
  std::string note;  // for the model, if this is not the real home; else empty
};

// Contract C-18a.
HomeDirectory home_directory(const process::Environment& environment);

}  // namespace cowork_terminal::shell
