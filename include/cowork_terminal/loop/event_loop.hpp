#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace cowork_terminal::loop {

// A one-shot timer. Destroying or cancelling it before it fired means its task never runs. Loop thread only.
class Timer {
 public:
  struct State;

  Timer() = default;
  explicit Timer(std::shared_ptr<State> state);
  Timer(Timer&&) noexcept = default;
  Timer& operator=(Timer&& other) noexcept;
  ~Timer();

  void cancel();

 private:
  std::shared_ptr<State> state_;
};

// The one loop thread of the program. Everything but post() and stop() belongs to the thread that runs it.
class EventLoop {
 public:
  struct Asio;

  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Runs tasks until stop(); returns at once if stop() was called before.
  void run();
  // Any thread. The task that is running ends first.
  void stop();
  // Any thread. Tasks run in the order of their posting, never inside post().
  void post(std::function<void()> task);

  [[nodiscard]] Timer after(std::chrono::milliseconds delay, std::function<void()> task);
  // Calls `task` with the number of each of these signals that arrives, for the life of the loop.
  void on_signals(const std::vector<int>& signals, std::function<void(int)> task);

  // For code that includes <cowork_terminal/loop/asio.hpp>.
  Asio& asio() { return *asio_; }

 private:
  std::unique_ptr<Asio> asio_;
};

}  // namespace cowork_terminal::loop
