#include "shell/windows_variables.hpp"

#include <string>
#include <string_view>

namespace cowork_terminal::shell {

namespace {

std::string value_or(const process::Environment& environment, std::string_view name, std::string_view fallback) {
  std::string value = environment.get(name).value_or("");
  return value.empty() ? std::string{fallback} : value;
}

}  // namespace

void repair_windows_variables(process::Environment& environment) {
  const std::string drive = value_or(environment, "SystemDrive", "C:");
  const std::string windows = value_or(environment, "windir", drive + "\\Windows");
  const std::string system_root = value_or(environment, "SystemRoot", windows);
  environment.set("SystemRoot", system_root);
  environment.set("COMSPEC", value_or(environment, "COMSPEC", system_root + "\\System32\\cmd.exe"));
  environment.set("PATHEXT", value_or(environment, "PATHEXT", ".COM;.EXE;.BAT;.CMD;.VBS;.VBE;.JS;.JSE;.WSF;.WSH;.MSC"));
}

}  // namespace cowork_terminal::shell
