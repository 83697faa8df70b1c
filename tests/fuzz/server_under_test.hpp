#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cowork_terminal::fuzz {

// A server process whose stdin and stdout are pipes of ours; stderr and the environment are inherited. Killed at the
// end if it still runs.
class ServerUnderTest {
 public:
  // Throws std::system_error.
  explicit ServerUnderTest(const std::vector<std::string>& command);
  ~ServerUnderTest();
  ServerUnderTest(const ServerUnderTest&) = delete;
  ServerUnderTest& operator=(const ServerUnderTest&) = delete;

  using Clock = std::chrono::steady_clock;

  // Writes all of it, reading meanwhile what the server writes; false if it cannot be written until then.
  bool write(std::string_view bytes, Clock::time_point until);
  // The next whole line; nothing if there is none until then.
  std::optional<std::string> read_line(Clock::time_point until);
  void end_input();
  // The exit code, 128 + n after signal n; nothing if it still runs then.
  std::optional<int> wait(Clock::time_point until);

 private:
  enum class Ready { to_read, to_write, neither };
  Ready wait_for(bool writing, Clock::time_point until);
  bool read_some();

  int process_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string unread_;
};

}  // namespace cowork_terminal::fuzz
