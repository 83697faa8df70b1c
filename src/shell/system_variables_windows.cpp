#include "shell/windows_variables.hpp"

namespace cowork_terminal::shell {

void repair_system_variables(process::Environment& environment) { repair_windows_variables(environment); }

}  // namespace cowork_terminal::shell
