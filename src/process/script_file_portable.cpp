#include "process/script_file.hpp"

namespace cowork_terminal::process {

Descriptor make_nameless_file() { return {}; }

}  // namespace cowork_terminal::process
