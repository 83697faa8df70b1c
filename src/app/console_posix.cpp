#include <cowork_terminal/app/console.hpp>
#include <csignal>

namespace cowork_terminal::app {

// Asio (Boost 1.81) takes a loop down by closing its signal pipe, the read end first, before its handlers are gone: the
// SIGCHLD of a supervisor that ends just then is written to a pipe without reader. And a log that may not grow
// (ulimit -f) is an error of write(), not the end of the server.
void prepare_console() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace cowork_terminal::app
