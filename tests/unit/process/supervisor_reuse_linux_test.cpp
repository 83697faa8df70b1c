// What a supervisor that waits for the next command still has of the one before, and of its server.

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;
using std::chrono::seconds;

namespace {

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

bool waits(pid_t supervisor) {
  std::string name;
  std::ifstream file(folder_of(supervisor) + "/comm");
  return std::getline(file, name) && name == "cowork-standby";
}

// Nothing like it was ever in this process, whose memory a sanitizer lets supervisors inherit.
std::string make_secret() {
  std::random_device random;
  std::string secret;
  while (secret.size() < 32) secret += static_cast<char>('a' + random() % 26);
  return secret;
}

// All that it may write, but for the shadow of a sanitizer, which is huge.
std::string memory_of(pid_t process) {
  std::string memory;
  std::ifstream maps(folder_of(process) + "/maps");
  std::ifstream contents(folder_of(process) + "/mem", std::ios::binary);
  for (std::string line; std::getline(maps, line);) {
    if (line.find(" rw-p ") == std::string::npos) continue;
    const auto begin = std::stoull(line, nullptr, 16);
    const auto end = std::stoull(line.substr(line.find('-') + 1), nullptr, 16);
    if (end - begin > 64U * 1'024 * 1'024) continue;
    std::string piece(end - begin, '\0');
    contents.clear();
    contents.seekg(static_cast<std::streamoff>(begin));
    contents.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    memory += piece;
  }
  return memory;
}

}  // namespace

TEST_CASE("a supervisor that waits has nothing of the command before", "[process][C-18]") {
  RunnerFixture fixture;
  const pid_t supervisor = fixture.supervisor_of_next_command();
  for (const std::size_t size : {10U, 100'000U}) {
    const std::string secret = make_secret();
    Command command = bash_command("cat /proc/$PPID/environ >/dev/null; exit 3");
    command.environment.set("SECRET", secret + std::string(size, '.') + secret);
    CHECK(exited_with(fixture.finish(*fixture.start(command)), 3));
    fixture.pump_until([&] { return waits(supervisor); });
    CHECK(memory_of(supervisor).find(secret) == std::string::npos);
  }
  std::size_t descriptors = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_of(supervisor) + "/fd")) {
    ++descriptors;
  }
  // Its channel, and the pipe by which it hears of children.
  CHECK(descriptors == 3);
  CHECK(fixture.supervisor_of_next_command() == supervisor);
}

TEST_CASE("a supervisor whose command left a background process goes, and that process stays", "[process][C-19]") {
  RunnerFixture fixture;
  const std::string token = unique_token();
  const auto outcome = fixture.bash(child("sleep 300 " + token) + " >/dev/null 2>&1 & echo $PPID");
  const auto supervisor = static_cast<pid_t>(std::stol(outcome.standard_output.text));
  CHECK(fixture.supervisor_of_next_command() != supervisor);
  fixture.pump_until([&] { return !process_exists(supervisor); });
  const auto background = processes_with(token);
  REQUIRE(background.size() == 1);
  ::kill(static_cast<pid_t>(background.front()), SIGKILL);
}

TEST_CASE("what a command changes of its supervisor is not inherited by the next", "[process][C-16]") {
  RunnerFixture fixture;
  pid_t before = fixture.supervisor_of_next_command();
  for (const std::string change :
       {"prlimit --pid $PPID --core=0:0", "prlimit --pid $PPID --nofile=50:50", "prlimit --pid $PPID --data=1:1",
        "taskset -p 1 $PPID >/dev/null", "chrt --batch -p 0 $PPID", "ionice -c 3 -p $PPID",
        "echo 500 >/proc/$PPID/oom_score_adj", "echo 0 >/proc/$PPID/coredump_filter"}) {
    INFO(change);
    CHECK(exited_with(fixture.bash(change + "; exit 4"), 4));
    const pid_t after = fixture.supervisor_of_next_command();
    CHECK(after != before);
    before = after;
  }
}

TEST_CASE("an order that comes too late is not taken for a request", "[process][C-20]") {
  RunnerFixture fixture;
  const pid_t supervisor = fixture.supervisor_of_next_command();
  const auto run = fixture.start_bash("echo up; exit 3");
  fixture.pump_until([&] { return run->command->output_bytes() > 0; });
  // It has told the exit, but the server has not read that yet.
  const auto deadline = std::chrono::steady_clock::now() + seconds(20);
  while (!waits(supervisor) && std::chrono::steady_clock::now() < deadline) continue;
  run->command->cancel();
  fixture.finish(*run);
  CHECK(fixture.bash("echo fine").standard_output.text == "fine\n");
  fixture.pump_until([&] { return !process_exists(supervisor); });
}
