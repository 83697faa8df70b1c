#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace cowork_terminal::shell {

struct WorkingDirectory {
  std::string path;  // absolute, an existing directory
  std::string note;  // for the model, if this is not what it asked for; else empty
};

// Says what is wrong with `cwd`, with the path as it was written, and what to do.
struct RefusedDirectory {
  std::string reason;
};

// The argument `cwd` of a call: absolute, `~`, `~/…`, or relative to `home`, which is absolute; "" is `home`. On
// Windows also `C:/…` and `/c/…`. A path inside Cowork's virtual machine, `/sessions/<id>/mnt/<folder>[/rest]`, is
// translated when exactly one host folder is meant. Looks at the file system.
std::variant<WorkingDirectory, RefusedDirectory> working_directory(std::string_view cwd, const std::string& home);

}  // namespace cowork_terminal::shell
