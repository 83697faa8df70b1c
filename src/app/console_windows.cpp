#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <cowork_terminal/app/console.hpp>
#include <cstdio>
#include <cstdlib>

namespace cowork_terminal::app {

namespace {

UINT code_page_before = 0;

bool is_console(DWORD stream) {
  DWORD mode = 0;
  return ::GetConsoleMode(::GetStdHandle(stream), &mode) != 0;
}

}  // namespace

void prepare_console() {
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stderr), _O_BINARY);
  if (!is_console(STD_OUTPUT_HANDLE) && !is_console(STD_ERROR_HANDLE)) return;
  code_page_before = ::GetConsoleOutputCP();
  // The console would keep ours beyond our end.
  std::atexit([] { ::SetConsoleOutputCP(code_page_before); });
  ::SetConsoleOutputCP(CP_UTF8);
}

}  // namespace cowork_terminal::app
