#pragma once

#include <cowork_terminal/process/environment.hpp>
#include <string>
#include <vector>

namespace cowork_terminal::shell {

// The environment every command starts from, before the call's own `env` (contract C-18): `server` less what the client
// keeps for itself and what would change bash, plus what keeps git, gh and pagers from asking. `path_prefix` comes from
// BashLocation: Windows folders, put before PATH.
process::Environment command_environment(process::Environment server, const std::vector<std::string>& path_prefix);

}  // namespace cowork_terminal::shell
