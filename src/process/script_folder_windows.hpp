#pragma once

#include <string>

namespace cowork_terminal::process {

// The folder for the scripts of this process; made when needed, see create_script_folder(). Absolute, without a slash
// at its end.
const std::wstring& script_folder();
// Fails if it is there already, which does no harm. The error of the system, 0 for none.
unsigned long create_script_folder();
// Removes it if nothing is in it.
void remove_script_folder();
// Removes what servers left behind that ended with the machine.
void sweep_old_script_folders();

}  // namespace cowork_terminal::process
