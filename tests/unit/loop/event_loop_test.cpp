#include <atomic>
#include <chrono>
#include <cowork_terminal/loop/event_loop.hpp>
#include <csignal>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "unit/loop/run_until.hpp"

using namespace std::chrono_literals;
using cowork_terminal::run_until;
using cowork_terminal::loop::EventLoop;
using cowork_terminal::loop::Timer;
using Clock = std::chrono::steady_clock;

TEST_CASE("tasks run in the order of their posting and never inside post()", "[loop]") {
  EventLoop loop;
  std::vector<int> order;
  loop.post([&] {
    loop.post([&] { order.push_back(3); });
    order.push_back(1);
  });
  loop.post([&] { order.push_back(2); });
  CHECK(order.empty());
  CHECK(run_until(loop, [&] { return order.size() == 3; }));
  CHECK(order == std::vector<int>{1, 2, 3});
}

TEST_CASE("tasks of other threads run on the loop thread, each thread's in order", "[loop]") {
  EventLoop loop;
  constexpr int tasks = 2'000;
  std::vector<int> seen(3, 0);
  bool in_order = true;
  bool on_loop_thread = true;
  const auto loop_thread = std::this_thread::get_id();
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < seen.size(); ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < tasks; ++i) {
        loop.post([&, thread, i] {
          in_order = in_order && seen[thread]++ == i;
          on_loop_thread = on_loop_thread && std::this_thread::get_id() == loop_thread;
        });
      }
    });
  }
  CHECK(run_until(loop, [&] { return seen == std::vector<int>(3, tasks); }));
  for (std::thread& thread : threads) thread.join();
  CHECK(in_order);
  CHECK(on_loop_thread);
}

TEST_CASE("a stop that came before ends the next run at once, and only that", "[loop]") {
  EventLoop loop;
  bool ran = false;
  loop.post([&] { ran = true; });
  loop.stop();
  loop.run();
  CHECK_FALSE(ran);
  CHECK(run_until(loop, [&] { return ran; }));
}

TEST_CASE("another thread can stop the loop", "[loop]") {
  EventLoop loop;
  std::thread stopper{[&] { loop.stop(); }};
  loop.run();
  stopper.join();
  SUCCEED("run() has returned");
}

TEST_CASE("a timer fires once and not before its time", "[loop]") {
  EventLoop loop;
  int fired = 0;
  const auto begin = Clock::now();
  Clock::duration after{};
  const Timer timer = loop.after(30ms, [&] {
    ++fired;
    after = Clock::now() - begin;
  });
  bool later = false;
  const Timer second = loop.after(60ms, [&] { later = true; });
  CHECK(run_until(loop, [&] { return later; }));
  CHECK(fired == 1);
  CHECK(after >= 30ms);
}

TEST_CASE("timers fire in the order of their times", "[loop]") {
  EventLoop loop;
  std::string order;
  const Timer third = loop.after(40ms, [&] { order += 'c'; });
  const Timer first = loop.after(0ms, [&] { order += 'a'; });
  const Timer second = loop.after(20ms, [&] { order += 'b'; });
  CHECK(run_until(loop, [&] { return order.size() == 3; }));
  CHECK(order == "abc");
}

TEST_CASE("a timer that was cancelled, destroyed or overwritten never fires", "[loop]") {
  EventLoop loop;
  bool fired = false;
  bool replacement_fired = false;
  Timer cancelled = loop.after(5ms, [&] { fired = true; });
  Timer overwritten = loop.after(5ms, [&] { fired = true; });
  {
    const Timer destroyed = loop.after(5ms, [&] { fired = true; });
  }
  cancelled.cancel();
  cancelled.cancel();
  overwritten = loop.after(10ms, [&] { replacement_fired = true; });
  bool later = false;
  const Timer last = loop.after(30ms, [&] { later = true; });
  CHECK(run_until(loop, [&] { return later; }));
  CHECK_FALSE(fired);
  CHECK(replacement_fired);
}

TEST_CASE("a timer that is due already can still be cancelled", "[loop]") {
  EventLoop loop;
  bool fired = false;
  bool done = false;
  Timer timer = loop.after(1ms, [&] { fired = true; });
  loop.post([&] {
    const auto due = Clock::now() + 5ms;
    while (Clock::now() < due) {
    }
    // Two tasks later its expiry has been queued behind this one.
    loop.post([&] {
      timer.cancel();
      done = true;
    });
  });
  CHECK(run_until(loop, [&] { return done; }));
  CHECK(run_until(loop, [] { return true; }));
  CHECK_FALSE(fired);
}

TEST_CASE("a timer may be destroyed, overwritten and moved by its own task", "[loop]") {
  EventLoop loop;
  int fired = 0;
  Timer overwritten;
  overwritten = loop.after(1ms, [&] { overwritten = loop.after(1ms, [&] { ++fired; }); });
  auto owned = std::make_unique<Timer>();
  *owned = loop.after(1ms, [&] {
    owned.reset();
    ++fired;
  });
  Timer origin = loop.after(1ms, [&] { ++fired; });
  const Timer moved = std::move(origin);
  CHECK(run_until(loop, [&] { return fired == 3; }));
}

TEST_CASE("cancelling a timer frees what its task holds", "[loop]") {
  EventLoop loop;
  auto held = std::make_shared<int>(1);
  Timer timer = loop.after(1h, [held] {});
  CHECK(held.use_count() == 2);
  timer.cancel();
  CHECK(held.use_count() == 1);
}

TEST_CASE("a loop with timers and tasks left is destroyed with all they hold", "[loop]") {
  auto held = std::make_shared<int>(1);
  {
    EventLoop loop;
    const Timer timer = loop.after(1h, [held] {});
    loop.post([held] {});
    CHECK(held.use_count() == 3);
  }
  CHECK(held.use_count() == 1);
}

TEST_CASE("a task that throws ends alone and is reported", "[loop][C-30]") {
  EventLoop loop;
  std::string reported;
  bool next_ran = false;
  loop.on_exception([&](const std::exception_ptr& thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
      reported = error.what();
    }
  });
  loop.post([] { throw std::runtime_error("a bug"); });
  loop.post([&] { next_ran = true; });
  CHECK(run_until(loop, [&] { return next_ran; }));
  CHECK(reported == "a bug");
}

TEST_CASE("without a report run() throws what a task threw and may be called again", "[loop]") {
  EventLoop loop;
  bool next_ran = false;
  loop.post([] { throw std::runtime_error("a bug"); });
  loop.post([&] { next_ran = true; });
  CHECK_THROWS_AS(loop.run(), std::runtime_error);
  CHECK(run_until(loop, [&] { return next_ran; }));
}

TEST_CASE("every signal of the set is told, as often as it comes", "[loop][C-26a]") {
  EventLoop loop;
  std::vector<int> signals;
  loop.on_signals({SIGINT, SIGTERM}, [&](int signal) { signals.push_back(signal); });
  for (const int signal : {SIGTERM, SIGINT, SIGTERM}) {
    const std::size_t before = signals.size();
    std::raise(signal);
    CHECK(run_until(loop, [&] { return signals.size() == before + 1; }));
  }
  CHECK(signals == std::vector<int>{SIGTERM, SIGINT, SIGTERM});
}
