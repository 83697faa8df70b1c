// clang-format off
#include <windows.h>
#include <shellapi.h>  // needs the types of the first
// clang-format on

#include <cowork_terminal/app/arguments.hpp>
#include <cowork_terminal/process/windows_text.hpp>

namespace cowork_terminal::app {

// Not from argv, which the C library made in the code page of the system.
std::vector<std::string> program_arguments(int, char*[]) {
  std::vector<std::string> arguments;
  int count = 0;
  wchar_t** const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  for (int i = 1; i < count; ++i) arguments.push_back(process::to_utf8(words[i]));
  ::LocalFree(words);
  return arguments;
}

}  // namespace cowork_terminal::app
