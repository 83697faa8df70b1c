#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "runner_fixture.hpp"

namespace cowork_terminal::process::testing {

// tests/support/runner_program.cpp in a process of its own.
class Server {
 public:
  // `name` becomes an argument of the server, and so of its supervisors.
  explicit Server(const std::vector<std::string>& commands, const std::string& name = "") {
    int output[2];
    if (::pipe(output) != 0) throw std::runtime_error("no pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(output[1], STDOUT_FILENO);
      ::close(output[0]);
      ::close(output[1]);
      // Not in the arguments, where they would be taken for the processes that the tests look for.
      std::string lines;
      for (const auto& command : commands) lines += command + '\n';
      ::setenv("RUNNER_COMMANDS", lines.c_str(), 1);
      ::setenv("CHILD_PROGRAM", CHILD_PROGRAM, 1);
      ::execl(RUNNER_PROGRAM, RUNNER_PROGRAM, name.c_str(), static_cast<char*>(nullptr));
      ::_exit(1);
    }
    ::close(output[1]);
    output_ = output[0];
  }
  ~Server() {
    kill(SIGKILL);
    ::close(output_);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void kill(int signal) {
    if (pid_ <= 0) return;
    ::kill(pid_, signal);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  std::string read_line() {
    std::string line;
    for (char letter = 0; ::read(output_, &letter, 1) == 1 && letter != '\n';) line += letter;
    return line;
  }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
};

inline bool wait_for(const std::function<bool()>& condition, milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
  }
  return true;
}

}  // namespace cowork_terminal::process::testing
