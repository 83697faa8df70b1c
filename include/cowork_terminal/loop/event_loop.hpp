#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace cowork_terminal::loop {

// A one-shot timer. Destroying or cancelling it before it fired means its task never runs. Loop thread only;
// the loop outlives it.
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

  // Runs tasks until stop(), the running one to its end; a stop() that came before ends it at once.
  void run();
  // Any thread.
  void stop();
  // A task that throws is a bug that ends this task alone (contract C-30): `report` gets what it threw. Without a
  // report run() throws it.
  void on_exception(std::function<void(const std::exception_ptr& thrown)> report);
  // Any thread. Tasks run in the order of their posting, never inside post().
  void post(std::function<void()> task);

  [[nodiscard]] Timer after(std::chrono::milliseconds delay, std::function<void()> task);
  // Calls `task` with the number of each of these signals that arrives, for the life of the loop.
  void on_signals(const std::vector<int>& signals, std::function<void(int)> task);

  // For code that includes <cowork_terminal/loop/asio.hpp>.
  Asio& asio() { return *asio_; }

 private:
  std::unique_ptr<Asio> asio_;
  std::function<void(const std::exception_ptr&)> report_exception_;
};

}  // namespace cowork_terminal::loop
