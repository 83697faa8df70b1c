// What the tests of the process layer run, so that they depend on nothing of the host's /bin. POSIX.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

extern "C" char** environ;

namespace {

using Arguments = std::vector<std::string>;

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(99);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void sleep_for(unsigned seconds) {
  while (seconds > 0) seconds = ::sleep(seconds);
}

// Byte i of a stream is a letter that depends on i, so that a lost or doubled piece is seen.
void flood(int descriptor, std::size_t bytes) {
  std::string piece;
  for (std::size_t written = 0; written < bytes; written += piece.size()) {
    piece.clear();
    const std::size_t size = std::min<std::size_t>(bytes - written, 10'007);
    for (std::size_t i = 0; i < size; ++i) piece += static_cast<char>('a' + (written + i) % 23);
    write_all(descriptor, piece);
  }
}

int exit_with(const Arguments& arguments) { return std::stoi(arguments.at(0)); }

// A core file would cost more than the test.
int kill_self(const Arguments& arguments) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int signal = std::stoi(arguments.at(0));
  std::signal(signal, SIG_DFL);
  ::kill(::getpid(), signal);
  return 98;
}

int flood_both(const Arguments& arguments) {
  flood(STDOUT_FILENO, std::stoul(arguments.at(0)));
  if (arguments.size() > 1) flood(STDERR_FILENO, std::stoul(arguments.at(1)));
  return 0;
}

int sleep_long(const Arguments& arguments) {
  sleep_for(static_cast<unsigned>(std::stoul(arguments.at(0))));
  return 0;
}

int ignore_term(const Arguments& arguments) {
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  write_all(STDOUT_FILENO, "ignoring\n");
  return sleep_long(arguments);
}

// leave SECONDS TOKEN, and leave-ignoring: into a session of its own, as setsid(1) does.
int leave(const Arguments& arguments) {
  ::setsid();
  return sleep_long(arguments);
}

int leave_ignoring(const Arguments& arguments) {
  ::setsid();
  return ignore_term(arguments);
}

// privileged SECONDS TOKEN: root for good, if this file is set-user-id root.
int become_privileged(const Arguments& arguments) {
  if (::setuid(0) != 0) return 95;
  write_all(STDOUT_FILENO, "privileged\n");
  return sleep_long(arguments);
}

// daemon SECONDS TOKEN: two forks, a session of its own, no environment, nothing open; the parent waits for nothing.
int become_daemon(const Arguments& arguments) {
  if (::fork() != 0) return 0;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  for (int descriptor = 0; descriptor < 64; ++descriptor) ::close(descriptor);
  const std::string self = std::getenv("CHILD_PROGRAM");
  char sleep[] = "sleep";
  std::vector<char*> argv{const_cast<char*>(self.c_str()), sleep};
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  char* nothing[] = {nullptr};
  ::execve(self.c_str(), argv.data(), nothing);
  ::_exit(97);
}

// bomb COUNT TOKEN: every process forks two that leave for sessions of their own, COUNT times in a row at most.
int bomb(const Arguments& arguments) {
  std::signal(SIGTERM, SIG_IGN);
  for (int depth = std::stoi(arguments.at(0)); depth > 0; --depth) {
    for (int child = 0; child < 2; ++child) {
      if (::fork() == 0) {
        ::setsid();
        break;
      }
    }
  }
  sleep_for(60);
  return 0;
}

// replicate TOKEN: a chain that never stands still: each process starts the next one in a new session and dies.
int replicate(const Arguments&) {
  std::signal(SIGTERM, SIG_IGN);
  for (int generation = 0; generation < 2'000'000; ++generation) {
    if (::fork() != 0) ::_exit(0);
    ::setsid();
  }
  return 0;
}

int print_environment(const Arguments&) {
  for (char** entry = environ; *entry != nullptr; ++entry) write_all(STDOUT_FILENO, std::string(*entry) + '\n');
  return 0;
}

int print_descriptors(const Arguments&) {
  for (int descriptor = 0; descriptor < 4'096; ++descriptor) {
    const int flags = ::fcntl(descriptor, F_GETFD);
    if (flags >= 0) std::cout << descriptor << (flags == 0 ? " " : "! ");
  }
  std::cout << "nonblocking:";
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if ((::fcntl(descriptor, F_GETFL) & O_NONBLOCK) != 0) std::cout << ' ' << descriptor;
  }
  std::cout << '\n';
  return 0;
}

int print_signals(const Arguments&) {
  sigset_t mask;
  ::sigprocmask(SIG_BLOCK, nullptr, &mask);
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&mask, signal) == 1) std::cout << "blocked " << signal << '\n';
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL)
      std::cout << "not default " << signal << '\n';
  }
  std::cout << "done\n";
  return 0;
}

int print_limit(const Arguments&) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  std::cout << limit.rlim_cur << ' ' << limit.rlim_max << '\n';
  return 0;
}

int print_session(const Arguments&) {
  const int terminal = ::open("/dev/tty", O_RDWR);
  std::cout << "leads session: " << (::getsid(0) == ::getpid()) << " leads group: " << (::getpgrp() == ::getpid())
            << " terminal: " << (terminal >= 0) << '\n';
  return 0;
}

int print_stdin(const Arguments&) {
  struct stat input {};
  struct stat null {};
  ::fstat(STDIN_FILENO, &input);
  ::stat("/dev/null", &null);
  char byte = 0;
  std::cout << "null device: " << (input.st_rdev == null.st_rdev) << " read: " << ::read(STDIN_FILENO, &byte, 1)
            << '\n';
  return 0;
}

int print_arguments(const Arguments& arguments) {
  for (const auto& argument : arguments) write_all(STDOUT_FILENO, argument + '\n');
  return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::map<std::string_view, std::function<int(const Arguments&)>> modes{
      {"exit", exit_with},
      {"kill-self", kill_self},
      {"flood", flood_both},
      {"sleep", sleep_long},
      {"ignore-term", ignore_term},
      {"leave", leave},
      {"leave-ignoring", leave_ignoring},
      {"privileged", become_privileged},
      {"daemon", become_daemon},
      {"bomb", bomb},
      {"replicate", replicate},
      {"environment", print_environment},
      {"descriptors", print_descriptors},
      {"signals", print_signals},
      {"limit", print_limit},
      {"session", print_session},
      {"stdin", print_stdin},
      {"arguments", print_arguments},
  };
  const auto mode = argc > 1 ? modes.find(argv[1]) : modes.end();
  if (mode == modes.end()) return 96;
  return mode->second(Arguments(argv + 2, argv + argc));
}
