#include <cowork_terminal/process/command.hpp>
#include <csignal>

#include "support/catch.hpp"

using cowork_terminal::process::signal_name;

TEST_CASE("signals have their names", "[process]") {
  CHECK(signal_name(9) == "SIGKILL");
  CHECK(signal_name(SIGTERM) == "SIGTERM");
  CHECK(signal_name(SIGUSR1) == "SIGUSR1");
  CHECK(signal_name(SIGSYS) == "SIGSYS");
}

TEST_CASE("a number that names no signal is given as a number", "[process]") {
  CHECK(signal_name(0) == "signal 0");
  CHECK(signal_name(4'711) == "signal 4711");
}

#ifdef SIGRTMIN
TEST_CASE("real-time signals are counted from the first", "[process]") {
  CHECK(signal_name(SIGRTMIN) == "SIGRTMIN");
  CHECK(signal_name(SIGRTMIN + 3) == "SIGRTMIN+3");
}
#endif
