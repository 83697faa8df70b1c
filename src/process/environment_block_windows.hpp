#pragma once

#include <cowork_terminal/process/environment.hpp>
#include <string>

namespace cowork_terminal::process {

// As CreateProcessW wants it with CREATE_UNICODE_ENVIRONMENT: NAME=VALUE each with its NUL, sorted by name without
// case, and one more NUL.
std::wstring environment_block(const Environment& environment);

}  // namespace cowork_terminal::process
