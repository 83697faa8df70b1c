#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cowork_terminal/loop/asio.hpp>
#include <utility>

namespace cowork_terminal::loop {

struct Timer::State {
  boost::asio::steady_timer timer;
  std::function<void()> task;
};

Timer::Timer(std::shared_ptr<State> state) : state_(std::move(state)) {}

Timer& Timer::operator=(Timer&& other) noexcept {
  if (this != &other) {
    cancel();
    state_ = std::move(other.state_);
  }
  return *this;
}

Timer::~Timer() { cancel(); }

void Timer::cancel() {
  if (const auto state = std::exchange(state_, nullptr)) {
    // An expiry that is already queued cannot be called back; it finds no task.
    state->task = nullptr;
    state->timer.cancel();
  }
}

EventLoop::EventLoop() : asio_(std::make_unique<Asio>()) {}

EventLoop::~EventLoop() = default;

void EventLoop::run() {
  while (!asio_->context.stopped()) {
    try {
      asio_->context.run();
    } catch (...) {
      if (!report_exception_) throw;
      report_exception_(std::current_exception());
    }
  }
  asio_->context.restart();
}

void EventLoop::stop() { asio_->context.stop(); }

void EventLoop::on_exception(std::function<void(const std::exception_ptr& thrown)> report) {
  report_exception_ = std::move(report);
}

void EventLoop::post(std::function<void()> task) { boost::asio::post(asio_->context, std::move(task)); }

Timer EventLoop::after(std::chrono::milliseconds delay, std::function<void()> task) {
  auto state =
      std::make_shared<Timer::State>(Timer::State{boost::asio::steady_timer{asio_->context, delay}, std::move(task)});
  state->timer.async_wait([state](const boost::system::error_code&) {
    if (const auto due = std::exchange(state->task, nullptr)) due();
  });
  return Timer{std::move(state)};
}

namespace {

void wait_for_signal(boost::asio::signal_set& set, std::function<void(int)> task) {
  set.async_wait([&set, task = std::move(task)](const boost::system::error_code& error, int signal) mutable {
    if (error) return;
    task(signal);
    wait_for_signal(set, std::move(task));
  });
}

}  // namespace

void EventLoop::on_signals(const std::vector<int>& signals, std::function<void(int)> task) {
  auto& set = asio_->signal_sets.emplace_back(asio_->context);
  for (const int signal : signals) set.add(signal);
  wait_for_signal(set, std::move(task));
}

}  // namespace cowork_terminal::loop
