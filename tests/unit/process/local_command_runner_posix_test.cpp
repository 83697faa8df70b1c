#include <algorithm>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <csignal>
#include <random>

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
  // The output may come before the supervisor's word of the start.
  fixture.pump_until([&] { return run->command->output_bytes() > 0 && run->command->pid() != 0; });
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
  for (const auto& run : fixture.start_many(bash_command("true"))) fixture.finish(*run);
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
