#include "shell/windows_variables.hpp"

namespace cowork_terminal::shell {

void repair_system_variables(process::Environment&) {}

}  // namespace cowork_terminal::shell
