#include <csignal>

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

int main(int argc, char* argv[]) {
  // As the program does (src/app/console_posix.cpp): tests take loops down while supervisors end.
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
  return Catch::Session().run(argc, argv);
}
