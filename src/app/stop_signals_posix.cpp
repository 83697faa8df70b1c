#include <cowork_terminal/app/stop_signals.hpp>
#include <csignal>

namespace cowork_terminal::app {

std::vector<int> stop_signals() { return {SIGINT, SIGTERM, SIGHUP}; }

}  // namespace cowork_terminal::app
