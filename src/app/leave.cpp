#include <cowork_terminal/app/leave.hpp>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define __SANITIZE_ADDRESS__
#endif
#endif

namespace cowork_terminal::app {

void leave(int exit_code) {
#ifdef __SANITIZE_ADDRESS__
  if (__lsan_do_recoverable_leak_check() != 0) std::_Exit(23);
#endif
  std::_Exit(exit_code);
}

}  // namespace cowork_terminal::app
