#pragma once

#include <chrono>
#include <cowork_terminal/loop/event_loop.hpp>
#include <functional>
#include <utility>

namespace cowork_terminal {

// Runs the loop until `condition` holds, which it looks at between tasks; false after `limit`.
inline bool run_until(loop::EventLoop& loop, const std::function<bool()>& condition,
                      std::chrono::seconds limit = std::chrono::seconds{20}) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  bool held = false;
  loop::Timer again;
  std::function<void()> look = [&] {
    held = condition();
    if (held || std::chrono::steady_clock::now() > deadline) return loop.stop();
    again = loop.after(std::chrono::milliseconds{1}, look);
  };
  loop.post(look);
  loop.run();
  return held;
}

}  // namespace cowork_terminal
