#include <signal.h>

#include <cowork_terminal/app/stop_signals.hpp>
#include <utility>
#include <vector>

namespace cowork_terminal::app {

void on_stop_signals(loop::EventLoop& loop, std::function<void()> arrived) {
  const std::vector<int> signals{SIGINT, SIGTERM, SIGHUP};
  loop.on_signals(signals, [arrived = std::move(arrived)](int) { arrived(); });
  sigset_t stopping;
  sigemptyset(&stopping);
  for (const int number : signals) sigaddset(&stopping, number);
  ::pthread_sigmask(SIG_UNBLOCK, &stopping, nullptr);
}

}  // namespace cowork_terminal::app
