// The end of a call (contract C-19): at the exit of the program, not of its pipes.

#include <signal.h>

#include <algorithm>
#include <fstream>

#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;
using std::chrono::seconds;

namespace {

std::size_t line_count(const std::string& path) {
  std::ifstream file(path);
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

// What the command has left behind is there; now it goes.
void end(RunnerFixture& fixture, const std::string& token, std::size_t expected = 1) {
  // Looked for once: a process that is just executing its program has no command line for a moment.
  std::vector<long> alive;
  fixture.pump_until([&] {
    alive = processes_with(token);
    return alive.size() == expected;
  });
  for (const long pid : alive) ::kill(static_cast<pid_t>(pid), SIGKILL);
  fixture.pump_until([&] { return processes_with(token).empty(); });
}

}  // namespace

TEST_CASE("a background process that holds the pipes delays the answer by 250 ms only, and lives on",
          "[process][C-19][K01]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome = fixture.bash(child("sleep 300 " + token) + " & echo started");
  CHECK(exited_with(outcome, 0));
  CHECK(outcome.standard_output.text == "started\n");
  CHECK(outcome.duration >= milliseconds(250));
  CHECK(outcome.duration < seconds(2));
  end(fixture, token);
}

TEST_CASE("a background process that is redirected delays nothing", "[process][C-19]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome = fixture.bash(child("sleep 300 " + token) + " >/dev/null 2>&1 & echo started");
  CHECK(outcome.standard_output.text == "started\n");
  CHECK(outcome.duration < milliseconds(250));
  end(fixture, token);
}

TEST_CASE("disown, setsid and daemons live on as well", "[process][C-19]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const std::string sleeper = child("sleep 300 " + token);
  const auto outcome = fixture.bash(sleeper + " & disown; " + child("daemon 300 " + token) + "; (" + sleeper +
                                    " &) ; nohup " + sleeper + " >/dev/null & echo started");
  CHECK(outcome.standard_output.text == "started\n");
  fixture.pump_until([&] { return processes_with(token).size() == 4; });
  // Well beyond the life of their supervisor.
  fixture.bash("true");
  end(fixture, token, 4);
}

TEST_CASE("output of the background within 250 ms belongs to the answer", "[process][C-19]") {
  RunnerFixture fixture;
  const auto outcome = fixture.bash("(sleep 0.05; echo late) & echo now");
  CHECK(outcome.standard_output.text == "now\nlate\n");
}

TEST_CASE("output that comes after the answer harms nobody and stops nobody", "[process][C-19][K04]") {
  RunnerFixture fixture;
  const TemporaryFolder folder;
  const auto done = folder.path("done");
  // More than a pipe holds: the writer gets to its end only if somebody reads.
  const auto outcome =
      fixture.bash("(sleep 0.5; " + child("flood 3000000 3000000") + " && touch '" + done + "') & echo now");
  CHECK(outcome.standard_output.text == "now\n");
  fixture.pump_until([&] { return std::ifstream(done).good(); });
}

TEST_CASE("a background flood does not prolong the answer", "[process][C-19]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome = fixture.bash("exec -a yes-" + token + " yes & echo started; sleep 0.1");
  CHECK(exited_with(outcome, 0));
  CHECK(outcome.standard_output.total_bytes > 100'000);
  CHECK(outcome.duration < seconds(3));
  // The pipe goes on being drained, and another command is not held up.
  CHECK(fixture.bash("echo b").standard_output.text == "b\n");
  end(fixture, token);
}

TEST_CASE("process substitution is read to its end", "[process][C-19]") {
  RunnerFixture fixture;
  const auto outcome = fixture.bash("cat <(seq 1 1000) | tail -1; seq 1 5 > >(tail -1)");
  CHECK(outcome.standard_output.text == "1000\n5\n");
}

TEST_CASE("twenty background writers and the shell lose nothing", "[process][C-19]") {
  RunnerFixture fixture;
  const auto outcome =
      fixture.bash("for i in $(seq 20); do (for j in $(seq 200); do echo line-$i-$j; done) & done; wait");
  CHECK(exited_with(outcome, 0));
  CHECK(std::count(outcome.standard_output.text.begin(), outcome.standard_output.text.end(), '\n') == 4'000);
}

TEST_CASE("nothing written before the exit is lost while something else holds the pipes", "[process][C-19]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  // Exactly one pipe full and more, written at the last moment, with the loop kept busy by another flood.
  const auto flood = fixture.start_bash("yes");
  for (const int size : {1, 65'535, 65'536, 65'537, 300'000}) {
    const auto outcome =
        fixture.bash(child("sleep 300 " + token) + " & exec " + child("flood " + std::to_string(size) + " 5000"));
    CHECK(outcome.standard_output.total_bytes == static_cast<std::uint64_t>(size));
    CHECK(outcome.standard_error.total_bytes == 5'000);
  }
  flood->command->cancel();
  fixture.finish(*flood);
  end(fixture, token, 5);
}

TEST_CASE("a loop that comes late still gets everything written before the exit", "[process][C-19]") {
  RunnerFixture fixture;
  const TemporaryFolder folder;
  const auto written = folder.path("written");
  const std::string token = unique_token();
  const auto run = fixture.start_bash(child("sleep 300 " + token) + " & " + child("flood 40000 40000") + "; echo x >'" +
                                      written + "'");
  // The loop stands still meanwhile: the exit is long past when it is noticed.
  const auto deadline = std::chrono::steady_clock::now() + seconds(20);
  while (line_count(written) == 0 && std::chrono::steady_clock::now() < deadline) continue;
  const auto& outcome = fixture.finish(*run);
  CHECK(outcome.standard_output.total_bytes == 40'000);
  CHECK(outcome.standard_error.total_bytes == 40'000);
  end(fixture, token);
}

TEST_CASE("a program that closes its streams is still waited for", "[process][C-19]") {
  RunnerFixture fixture;
  const auto outcome = fixture.bash("echo a; exec >&- 2>&-; sleep 0.2; exit 5");
  CHECK(exited_with(outcome, 5));
  CHECK(outcome.standard_output.text == "a\n");
  CHECK(outcome.duration >= milliseconds(200));
}

TEST_CASE("cancelling after the exit does not touch what lives on", "[process][C-21]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const TemporaryFolder folder;
  const auto run = fixture.start_bash(child("sleep 300 " + token) + " & echo started");
  const auto& outcome = fixture.finish(*run);
  run->command->cancel();
  fixture.bash("true");
  CHECK(exited_with(outcome, 0));
  CHECK(run->completions == 1);
  end(fixture, token);
}
