// The server is killed or crashes (contract C-26b): the trees of running commands are gone within a second.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <vector>

#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;
using std::chrono::seconds;

namespace {

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

bool wait_for(const std::function<bool()>& condition, milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("trees die with the server, whatever they ignore", "[process][C-26b]") {
  for (const int signal : {SIGKILL, SIGABRT, SIGTERM}) {
    const std::string token = unique_token();
    Server server({"trap '' TERM; " + child("ignore-term 300 " + token) + "; true",
                   child("leave-ignoring 300 " + token) + " & " + child("sleep 300 " + token) + "; true"});
    REQUIRE(server.read_line() == "ready");
    REQUIRE(wait_for([&] { return processes_with(token).size() >= 3; }, seconds(20)));
    server.kill(signal);
    CHECK(wait_for([&] { return processes_with(token).empty(); }, seconds(5)));
  }
}

TEST_CASE("the supervisors die with the server, busy or not", "[process][C-26b]") {
  for (const int signal : {SIGKILL, SIGTERM}) {
    const std::string name = unique_token();
    Server server({"true", "sleep 300"}, name);
    REQUIRE(server.read_line() == "ready");
    REQUIRE(server.read_line() == "ended");
    // Itself and one at least.
    CHECK(processes_with(name).size() >= 2);
    server.kill(signal);
    CHECK(wait_for([&] { return processes_with(name).empty(); }, seconds(5)));
  }
}

TEST_CASE("background processes of calls that had ended survive the death of the server", "[process][C-26b]") {
  const std::string token = unique_token();
  const std::string other = unique_token();
  Server server({child("sleep 300 " + token) + " >/dev/null 2>&1 & true"});
  REQUIRE(server.read_line() == "ready");
  REQUIRE(server.read_line() == "ended");
  REQUIRE(wait_for([&] { return processes_with(token).size() == 1; }, seconds(20)));
  server.kill(SIGKILL);
  // Another server's tree has come and gone meanwhile.
  Server second({child("sleep 300 " + other)});
  REQUIRE(wait_for([&] { return processes_with(other).size() >= 1; }, seconds(20)));
  second.kill(SIGKILL);
  REQUIRE(wait_for([&] { return processes_with(other).empty(); }, seconds(5)));
  const auto alive = processes_with(token);
  REQUIRE(alive.size() == 1);
  ::kill(static_cast<pid_t>(alive.front()), SIGKILL);
}

TEST_CASE("a script of a dead server leaves nothing behind", "[process][C-26b][C-15]") {
  const TemporaryFolder folder;
  const std::string token = unique_token();
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  Server server({child("sleep 300 " + token) + "; true"});
  ::unsetenv("TMPDIR");
  REQUIRE(server.read_line() == "ready");
  REQUIRE(wait_for([&] { return processes_with(token).size() == 1; }, seconds(20)));
  server.kill(SIGKILL);
  CHECK(wait_for([&] { return std::filesystem::is_empty(folder.path()); }, seconds(5)));
}
