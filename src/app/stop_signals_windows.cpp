#include <cowork_terminal/app/stop_signals.hpp>
#include <csignal>
#include <utility>

namespace cowork_terminal::app {

// The C library raises SIGINT for Ctrl-C and SIGBREAK for every other console event: Ctrl-Break, the window that is
// closed, the user who logs off. Nobody sends SIGTERM to another process on Windows.
void on_stop_signals(loop::EventLoop& loop, std::function<void()> arrived) {
  loop.on_signals({SIGINT, SIGBREAK}, [arrived = std::move(arrived)](int) { arrived(); });
}

}  // namespace cowork_terminal::app
