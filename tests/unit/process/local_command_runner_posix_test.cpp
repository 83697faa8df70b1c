#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <csignal>
#include <random>

#include "process/descriptor.hpp"
#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;

namespace {

// What the child program writes for flood().
std::string flooded(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i % 23);
  return text;
}

// Before the first runner of this process raises it.
const rlimit descriptor_limit_at_start = [] {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit;
}();

}  // namespace

TEST_CASE("both streams and the exit code of a program come back", "[process][K81][K83]") {
  RunnerFixture fixture;
  const auto outcome = fixture.bash("printf out; printf err >&2; exit 7");
  CHECK(exited_with(outcome, 7));
  CHECK(outcome.standard_output.text == "out");
  CHECK(outcome.standard_error.text == "err");
  CHECK(outcome.notes.empty());
}

TEST_CASE("exit codes are those of bash", "[process][K81]") {
  RunnerFixture fixture;
  CHECK(exited_with(fixture.bash("nosuchcmd_zz"), 127));
  CHECK(exited_with(fixture.bash("/etc/passwd"), 126));
  CHECK(exited_with(fixture.bash("if then"), 2));
  CHECK(exited_with(fixture.bash("exit 255"), 255));
  CHECK(exited_with(fixture.bash("exit 256"), 0));
}

TEST_CASE("death by a signal is told from an exit code", "[process][K69]") {
  RunnerFixture fixture;
  const auto killed = fixture.bash("kill -9 $$");
  REQUIRE(std::holds_alternative<Signaled>(killed.ending));
  CHECK(std::get<Signaled>(killed.ending).signal == SIGKILL);
  CHECK(exited_with(fixture.bash("exit 137"), 137));
  const auto own = fixture.run(child_command({"kill-self", std::to_string(SIGUSR1)}));
  REQUIRE(std::holds_alternative<Signaled>(own.ending));
  CHECK(std::get<Signaled>(own.ending).signal == SIGUSR1);
}

TEST_CASE("the pid is that of the program, the bytes are those written so far", "[process][C-24]") {
  RunnerFixture fixture;
  const auto run = fixture.start_bash("echo $$; read -r never < <(sleep 60)");
  fixture.pump_until([&] { return run->command->output_bytes() > 0; });
  CHECK(run->command->take_output().standard_output.text == std::to_string(run->command->pid()) + "\n");
  run->command->cancel();
  CHECK(std::holds_alternative<Cancelled>(fixture.finish(*run).ending));
}

TEST_CASE("floods on both streams are kept to the limit, counted, and disturb nobody", "[process][C-11][K47][K50]") {
  RunnerFixture fixture;
  const auto outcome = fixture.run(child_command({"flood", "5000000", "3000000"}));
  CHECK(exited_with(outcome, 0));
  CHECK(outcome.standard_output.text == flooded(1'048'576));
  CHECK(outcome.standard_output.truncated);
  CHECK(outcome.standard_output.total_bytes == 5'000'000);
  CHECK(outcome.standard_error.text == flooded(1'048'576));
  CHECK(outcome.standard_error.total_bytes == 3'000'000);
}

TEST_CASE("alternating writes to both streams do not block each other", "[process][K50]") {
  RunnerFixture fixture;
  const auto outcome = fixture.bash("for i in $(seq 1 20000); do echo o$i; echo e$i >&2; done");
  CHECK(exited_with(outcome, 0));
  CHECK(outcome.standard_output.text.size() == outcome.standard_error.text.size());
  CHECK(outcome.standard_output.text.substr(outcome.standard_output.text.size() - 7) == "o20000\n");
}

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
  CHECK(line_end == mark.size() + 32);
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

TEST_CASE("64 commands run at once, each with its own answer", "[process][C-22]") {
  RunnerFixture fixture;
  std::vector<std::shared_ptr<Run>> runs;
  for (int i = 0; i < 64; ++i) {
    runs.push_back(fixture.start_bash("echo " + std::to_string(i) + "; sleep 0.2; exit " + std::to_string(i)));
  }
  for (int i = 0; i < 64; ++i) {
    const auto& outcome = fixture.finish(*runs[static_cast<std::size_t>(i)]);
    CHECK(exited_with(outcome, i));
    CHECK(outcome.standard_output.text == std::to_string(i) + "\n");
  }
}

TEST_CASE("a flood does not hold up another command", "[process][C-22][K74]") {
  RunnerFixture fixture;
  const auto flood = fixture.start_bash("yes");
  fixture.pump_until([&] { return flood->command->output_bytes() > 10'000'000; });
  const auto outcome = fixture.bash("echo b");
  CHECK(outcome.standard_output.text == "b\n");
  CHECK(outcome.duration < std::chrono::seconds(5));
  flood->command->cancel();
  CHECK(fixture.finish(*flood).standard_output.text.size() == 1'048'576);
}

TEST_CASE("after any number of commands descriptors are flat and no zombie is left", "[process][C-23][K62]") {
  RunnerFixture fixture;
  fixture.bash("true");
  fixture.pump_until([] { return zombie_children() == 0; });
  const std::size_t before = open_descriptors();
  for (int round = 0; round < 20; ++round) {
    std::vector<std::shared_ptr<Run>> runs;
    for (int i = 0; i < 4; ++i) runs.push_back(fixture.start_bash("echo x; exit 3"));
    runs.push_back(fixture.start_bash("sleep 50", milliseconds(20)));
    runs.push_back(fixture.start_bash("sleep 50"));
    runs.back()->command->cancel();
    Command failing = bash_command("true");
    failing.working_directory = "/no/such";
    runs.push_back(fixture.start(failing));
    for (const auto& run : runs) fixture.finish(*run);
    for (const auto& run : runs) CHECK(run->completions == 1);
  }
  // The end of a pipe may come a little after the answer.
  fixture.pump_until([&] { return zombie_children() == 0 && open_descriptors() == before; });
}

TEST_CASE("a runner that goes away ends what still runs", "[process]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto run = fixture.start_bash(child("sleep 300 " + token) + "; true");
  fixture.pump_until([&] { return processes_with(token).size() == 2; });
  fixture.destroy_runner();
  fixture.pump_until([&] { return processes_with(token).empty(); });
  CHECK(run->completions == 0);
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

TEST_CASE("under load every byte of many calls is accounted for", "[process][C-19][C-22]") {
  RunnerFixture fixture;
  std::mt19937 random(4);
  std::uniform_int_distribution<std::size_t> size(0, 200'000);
  struct Call {
    std::size_t out;
    std::size_t err;
    std::shared_ptr<Run> run;
  };
  const auto burner = fixture.start_bash("while :; do :; done & while :; do :; done");
  std::vector<Call> calls;
  const auto running = [&] {
    return std::count_if(calls.begin(), calls.end(), [](const Call& call) { return !call.run->outcome; });
  };
  for (int i = 0; i < 96; ++i) {
    fixture.pump_until([&] { return running() < 16; });
    Call call{size(random), size(random), nullptr};
    call.run = fixture.start(child_command({"flood", std::to_string(call.out), std::to_string(call.err)}));
    calls.push_back(std::move(call));
  }
  for (const Call& call : calls) {
    const auto& outcome = fixture.finish(*call.run);
    CHECK(exited_with(outcome, 0));
    CHECK(outcome.standard_output.text == flooded(call.out));
    CHECK(outcome.standard_error.text == flooded(call.err));
  }
  burner->command->cancel();
  fixture.finish(*burner);
}
