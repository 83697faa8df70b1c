#include <cowork_terminal/app/shutdown.hpp>
#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <cowork_terminal/mcp/server.hpp>
#include <cowork_terminal/process/command_runner.hpp>
#include <utility>

namespace cowork_terminal::app {

namespace {

using std::chrono::milliseconds;

// Contract C-26: 1 s to finish, then SIGTERM, SIGKILL 0.5 s later; all within 2 s.
constexpr milliseconds time_to_finish{1'000};
constexpr milliseconds grace_at_end{500};
constexpr milliseconds deadline_at_end{1'900};
// Contract C-26a: SIGTERM at once, SIGKILL 50 ms later; all within 250 ms.
constexpr milliseconds grace_at_signal{50};
constexpr milliseconds deadline_at_signal{220};

}  // namespace

Shutdown::Shutdown(Parts parts, std::function<void()> leave) : parts_(parts), leave_(std::move(leave)) {}

void Shutdown::input_ended() {
  leave_by(deadline_at_end);
  parts_.server.close();
  if (parts_.dispatcher.in_flight() > 0)
    grace_timer_ = parts_.loop.after(time_to_finish, [this] { end_commands(grace_at_end); });
  leave_when_idle();
}

void Shutdown::output_closed() {
  leave_by(grace_at_end + milliseconds(400));
  parts_.server.close();
  end_commands(grace_at_end);
  leave_when_idle();
}

void Shutdown::signal_arrived() {
  leave_by(deadline_at_signal);
  parts_.server.close();
  end_commands(grace_at_signal);
  leave_when_idle();
}

void Shutdown::end_commands(milliseconds grace) {
  grace_timer_.cancel();
  parts_.runner.end_all(grace);
}

void Shutdown::leave_when_idle() {
  if (parts_.dispatcher.in_flight() == 0) return leave_when_flushed();
  parts_.dispatcher.on_idle([this] { leave_when_flushed(); });
}

void Shutdown::leave_when_flushed() {
  if (std::exchange(flushing_, true)) return;
  parts_.transport.when_flushed([this] { leave_once(); });
}

void Shutdown::leave_by(milliseconds deadline) {
  deadline_timer_ = parts_.loop.after(deadline, [this] { leave_once(); });
}

void Shutdown::leave_once() {
  if (const auto leave = std::exchange(leave_, nullptr)) leave();
}

}  // namespace cowork_terminal::app
