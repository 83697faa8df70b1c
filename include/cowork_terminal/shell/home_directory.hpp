#pragma once

#include <cowork_terminal/process/environment.hpp>
#include <string>

namespace cowork_terminal::shell {

struct HomeDirectory {
  std::string path;  // absolute
  std::string note;  // for the model, if this is not the real home; else empty
};

// Contract C-18a. Looks at the file system: ask per call, a home may appear late (network, encrypted).
HomeDirectory home_directory(const process::Environment& environment);

}  // namespace cowork_terminal::shell
