#include <windows.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "app/standard_error.hpp"

namespace cowork_terminal::app {

namespace {

// Windows has no way to ask whether a pipe or console takes a write at once (a reader that waits makes a pipe look
// full), so a thread of its own does the waiting. It ends with the process.
class Writer {
 public:
  Writer() : thread_([this] { write_lines(); }) { thread_.detach(); }

  bool take(std::string_view line) {
    std::unique_lock lock{mutex_};
    if (waiting_bytes_ + line.size() > room) return false;
    const bool was_idle = waiting_bytes_ == 0;
    waiting_bytes_ += line.size();
    lines_.emplace_back(line);
    changed_.notify_all();
    // Where somebody reads, the line is out before we go on, so that none is lost when the process ends.
    if (was_idle) changed_.wait_for(lock, patience, [this] { return waiting_bytes_ == 0; });
    return true;
  }

 private:
  static constexpr std::size_t room = 64 * 1'024;
  static constexpr std::chrono::milliseconds patience{10};

  void write_lines() {
    std::unique_lock lock{mutex_};
    while (true) {
      changed_.wait(lock, [this] { return !lines_.empty(); });
      const std::string line = std::move(lines_.front());
      lines_.pop_front();
      lock.unlock();
      write(line);
      lock.lock();
      waiting_bytes_ -= line.size();
      changed_.notify_all();
    }
  }

  static void write(std::string_view bytes) {
    const HANDLE handle = ::GetStdHandle(STD_ERROR_HANDLE);
    while (!bytes.empty()) {
      DWORD written = 0;
      const BOOL done = ::WriteFile(handle, bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr);
      if (done == 0 || written == 0) return;
      bytes.remove_prefix(written);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::size_t waiting_bytes_ = 0;  // the line that is being written included
  std::thread thread_;
};

}  // namespace

bool write_standard_error_now(std::string_view line) {
  // Never destroyed: its thread may be blocked for good.
  static Writer* const writer = new Writer;
  return writer->take(line);
}

}  // namespace cowork_terminal::app
