#include <cowork_terminal/app/stop_signals.hpp>
#include <csignal>

namespace cowork_terminal::app {

// The C library raises SIGINT for Ctrl-C and SIGBREAK for every other console event: Ctrl-Break, the window that is
// closed, the user who logs off. Nobody sends SIGTERM to another process on Windows.
std::vector<int> stop_signals() { return {SIGINT, SIGBREAK}; }

}  // namespace cowork_terminal::app
