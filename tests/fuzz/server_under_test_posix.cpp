#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

#include "server_under_test.hpp"

namespace cowork_terminal::fuzz {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) fail("pipe");
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return ends;
}

int milliseconds_until(ServerUnderTest::Clock::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - ServerUnderTest::Clock::now());
  return left.count() > 0 ? static_cast<int>(left.count()) : 0;
}

}  // namespace

ServerUnderTest::ServerUnderTest(const std::vector<std::string>& command) {
  ::signal(SIGPIPE, SIG_IGN);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const auto input = make_pipe();
  const auto output = make_pipe();
  process_ = ::fork();
  if (process_ < 0) fail("fork");
  if (process_ == 0) {
    ::dup2(input[0], STDIN_FILENO);
    ::dup2(output[1], STDOUT_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(input[0]);
  ::close(output[1]);
  input_ = input[1];
  output_ = output[0];
  ::fcntl(input_, F_SETFL, O_NONBLOCK);
}

ServerUnderTest::~ServerUnderTest() {
  end_input();
  ::close(output_);
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

bool ServerUnderTest::write(std::string_view bytes, Clock::time_point until) {
  while (!bytes.empty()) {
    const Ready ready = wait_for(true, until);
    if (ready == Ready::neither) return false;
    if (ready == Ready::to_read) {
      if (!read_some()) return false;
      continue;
    }
    const ssize_t count = ::write(input_, bytes.data(), bytes.size());
    if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::optional<std::string> ServerUnderTest::read_line(Clock::time_point until) {
  for (std::size_t searched = 0;;) {
    const std::size_t length = unread_.find('\n', searched);
    if (length != std::string::npos) {
      std::string line = unread_.substr(0, length);
      unread_.erase(0, length + 1);
      return line;
    }
    searched = unread_.size();
    if (wait_for(false, until) == Ready::neither || !read_some()) return std::nullopt;
  }
}

void ServerUnderTest::end_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

std::optional<int> ServerUnderTest::wait(Clock::time_point until) {
  int status = 0;
  while (::waitpid(process_, &status, WNOHANG) == 0) {
    if (Clock::now() > until) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

ServerUnderTest::Ready ServerUnderTest::wait_for(bool writing, Clock::time_point until) {
  std::array<pollfd, 2> entries{{{output_, POLLIN, 0}, {writing ? input_ : -1, POLLOUT, 0}}};
  while (::poll(entries.data(), entries.size(), milliseconds_until(until)) < 0) {
    if (errno != EINTR) return Ready::neither;
  }
  if (entries[0].revents != 0) return Ready::to_read;
  return entries[1].revents != 0 ? Ready::to_write : Ready::neither;
}

bool ServerUnderTest::read_some() {
  std::array<char, 65'536> buffer{};
  const ssize_t count = ::read(output_, buffer.data(), buffer.size());
  if (count <= 0) return count < 0 && errno == EINTR;
  unread_.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

}  // namespace cowork_terminal::fuzz
