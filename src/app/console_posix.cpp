#include <cowork_terminal/app/console.hpp>
#include <csignal>

namespace cowork_terminal::app {

// Asio (Boost 1.81) takes a loop down by closing its signal pipe, the read end first, before its handlers are gone: the
// SIGCHLD of a supervisor that ends just then is written to a pipe without reader.
void prepare_console() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace cowork_terminal::app
