// What a program finds when it starts (contract C-15, C-17, C-18).

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "process/descriptor.hpp"
#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;

namespace {

// Before the first runner of this process raises it.
const rlimit descriptor_limit_at_start = [] {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit;
}();

}  // namespace

TEST_CASE("stdin is the null device", "[process][C-17][K51]") {
  RunnerFixture fixture;
  CHECK(fixture.run(child_command({"stdin"})).standard_output.text == "null device: 1 read: 0\n");
  CHECK(fixture.bash("cat; echo rc=$?; read -r x; echo $?").standard_output.text == "rc=0\n1\n");
}

TEST_CASE("a program leads its session and its group and has no terminal", "[process][C-17]") {
  RunnerFixture fixture;
  CHECK(fixture.run(child_command({"session"})).standard_output.text ==
        "leads session: 1 leads group: 1 terminal: 0\n");
}

TEST_CASE("a program gets the descriptors 0, 1, 2, all blocking, and no other", "[process][C-17]") {
  RunnerFixture fixture;
  // Not close-on-exec, as a careless library or parent leaves them.
  const int inherited = ::dup(2);
  const int high = ::fcntl(2, F_DUPFD, 500);
  const auto other = fixture.start_bash("sleep 5");
  CHECK(fixture.run(child_command({"descriptors"})).standard_output.text == "0 1 2 nonblocking:\n");
  ::close(inherited);
  ::close(high);
  other->command->cancel();
  fixture.finish(*other);
}

TEST_CASE("no signal is blocked or ignored in a program, whatever the server does", "[process][C-17]") {
  RunnerFixture fixture;
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto pipe = std::signal(SIGPIPE, SIG_IGN);
  const auto hangup = std::signal(SIGHUP, SIG_IGN);
  CHECK(fixture.run(child_command({"signals"})).standard_output.text == "done\n");
  std::signal(SIGPIPE, pipe);
  std::signal(SIGHUP, hangup);
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, &before, &after);
  CHECK(sigismember(&after, SIGUSR2) == 1);
}

TEST_CASE("a program gets the descriptor limit that the server was started with", "[process][C-23]") {
  RunnerFixture fixture;
  rlimit now{};
  ::getrlimit(RLIMIT_NOFILE, &now);
  const auto text = fixture.run(child_command({"limit"})).standard_output.text;
  CHECK(text == std::to_string(descriptor_limit_at_start.rlim_cur) + ' ' +
                    std::to_string(descriptor_limit_at_start.rlim_max) + '\n');
  CHECK(now.rlim_cur >= descriptor_limit_at_start.rlim_cur);
}

TEST_CASE("a program gets exactly its environment and the mark", "[process][C-18]") {
  RunnerFixture fixture;
  Command command = child_command({"environment"});
  command.environment = {};
  command.environment.set("A", "1");
  command.environment.set("ODD", "x=y z");
  command.environment.set("COWORK_TERMINAL_COMMAND", "of an outer server");
  const auto text = fixture.run(command).standard_output.text;
  const std::string mark = "COWORK_TERMINAL_COMMAND=";
  REQUIRE(text.rfind(mark, 0) == 0);
  const auto line_end = text.find('\n');
  CHECK(line_end > mark.size() + 32);
  CHECK(text.substr(line_end + 1) == "A=1\nODD=x=y z\n");
  CHECK(fixture.run(command).standard_output.text != text);  // another command, another mark
}

TEST_CASE("arguments reach the program byte for byte", "[process][C-15]") {
  RunnerFixture fixture;
  const std::string odd = "a'b\"c\\ $x `y` !\t\xFF -- #";
  CHECK(fixture.run(child_command({"arguments", odd, "", "-c"})).standard_output.text ==
        "a'b\"c\\ $x `y` !\t\xEF\xBF\xBD -- #\n\n-c\n");
}

TEST_CASE("the working directory is the one asked for", "[process][K43]") {
  RunnerFixture fixture;
  const TemporaryFolder folder;
  const std::string odd = folder.path("a b ñ 中文 'q' \"d\" $x");
  REQUIRE(::mkdir(odd.c_str(), 0700) == 0);
  Command command = bash_command("pwd");
  command.working_directory = odd;
  CHECK(fixture.run(command).standard_output.text == odd + "\n");
}

TEST_CASE("a server that was started without its standard streams runs commands all the same", "[process][C-17]") {
  auto result = make_pipe();
  REQUIRE(result);
  const pid_t server = ::fork();
  if (server == 0) {
    // Nothing of the test framework may run here. The first pipes get the numbers 0, 1 and 2.
    const int answer = ::fcntl(result->second.get(), F_DUPFD_CLOEXEC, 100);
    for (int number = 0; number < 3; ++number) ::close(number);
    std::string text;
    {
      RunnerFixture fixture;
      Command script = bash_command("");
      script.argv = {"/bin/bash"};
      script.script = "echo out; echo err >&2; " + child("descriptors");
      for (int round = 0; round < 3; ++round) {
        const auto outcome = fixture.run(round == 1 ? script : bash_command(*script.script));
        text += outcome.standard_output.text + outcome.standard_error.text;
      }
    }
    ::_exit(::write(answer, text.data(), text.size()) > 0 ? 0 : 1);
  }
  result->second.reset();
  std::string text;
  char piece[512];
  for (ssize_t size = 0; (size = ::read(result->first.get(), piece, sizeof piece)) > 0;) {
    text.append(piece, static_cast<std::size_t>(size));
  }
  ::waitpid(server, nullptr, 0);
  const std::string once = "out\n0 1 2 nonblocking:\nerr\n";
  CHECK(text == once + once + once);
}
