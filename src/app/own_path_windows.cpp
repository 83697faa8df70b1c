#include <windows.h>

#include <cowork_terminal/app/own_path.hpp>
#include <cowork_terminal/app/startup.hpp>
#include <cowork_terminal/process/windows_text.hpp>
#include <string>

namespace cowork_terminal::app {

std::string own_path() {
  // No path of a file is longer than this (Win32, "Maximum Path Length Limitation").
  std::wstring path(32'768, L'\0');
  const auto length = GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
  if (length == 0 || length == path.size()) throw StartupError("The path of this program is unknown.");
  path.resize(length);
  return process::to_utf8(path);
}

}  // namespace cowork_terminal::app
