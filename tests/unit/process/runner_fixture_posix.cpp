#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "runner_fixture.hpp"

namespace cowork_terminal::process::testing {

namespace {

// "pid ppid state command" of every process, by ps, so that the tests run on macOS too.
std::vector<std::string> process_lines() {
  FILE* pipe = ::popen("ps -A -o pid= -o ppid= -o stat= -o command= -ww", "r");
  if (pipe == nullptr) throw std::runtime_error("no ps");
  std::string text;
  char piece[4'096];
  for (;;) {
    text.append(piece, std::fread(piece, 1, sizeof piece, pipe));
    if (std::feof(pipe) != 0) break;
    // The SIGCHLD of a supervisor interrupts the read.
    if (std::ferror(pipe) != 0 && errno != EINTR) throw std::runtime_error("ps cannot be read");
    std::clearerr(pipe);
  }
  if (const int status = ::pclose(pipe); status != 0) throw std::runtime_error("ps: " + std::to_string(status));
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

struct Process {
  long pid = 0;
  long parent = 0;
  std::string state;
  std::string command;

  explicit Process(const std::string& line) {
    std::istringstream stream(line);
    stream >> pid >> parent >> state;
    std::getline(stream, command);
  }
  [[nodiscard]] bool is_zombie() const { return !state.empty() && state.front() == 'Z'; }
};

bool has_children() {
  siginfo_t info;
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace

RunnerFixture::~RunnerFixture() {
  runner_.reset();
  try {
    // A supervisor whose answer is no longer waited for may chase its tree for a minute.
    pump_until([] { return !has_children(); }, milliseconds(90'000));
  } catch (const std::runtime_error&) {
    std::fputs("children are left behind\n", stderr);
    std::abort();
  }
}

std::shared_ptr<Run> RunnerFixture::start(Command command) {
  auto run = std::make_shared<Run>();
  run->command = runner_->start(std::move(command), [run](CommandOutcome outcome) {
    ++run->completions;
    run->outcome = std::move(outcome);
  });
  return run;
}

std::shared_ptr<Run> RunnerFixture::start_bash(const std::string& text, milliseconds timeout) {
  Command command = bash_command(text);
  command.timeout = timeout;
  return start(std::move(command));
}

pid_t RunnerFixture::supervisor_of_next_command() {
  return static_cast<pid_t>(std::stol(bash("echo $PPID").standard_output.text));
}

std::vector<std::shared_ptr<Run>> RunnerFixture::start_many(const Command& command) {
  std::vector<std::shared_ptr<Run>> runs;
  while (runs.size() < 6) runs.push_back(start(command));
  return runs;
}

const CommandOutcome& RunnerFixture::finish(Run& run, milliseconds patience) {
  pump_until([&run] { return run.outcome.has_value(); }, patience);
  return *run.outcome;
}

CommandOutcome RunnerFixture::bash(const std::string& text, milliseconds timeout) {
  return finish(*start_bash(text, timeout));
}

void RunnerFixture::pump_until(const std::function<bool()>& condition, milliseconds patience) {
  auto& context = loop_.asio().context;
  context.restart();
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("waited in vain");
    context.run_one_for(milliseconds(10));
  }
}

Command bash_command(const std::string& text) {
  Command command;
  command.argv = {"/bin/bash", "-c", "--", text};
  command.working_directory = "/";
  command.environment = Environment::current();
  command.environment.set("CHILD_PROGRAM", CHILD_PROGRAM);
  command.timeout = milliseconds(60'000);
  return command;
}

Command child_command(std::vector<std::string> arguments) {
  Command command = bash_command("");
  command.argv = {CHILD_PROGRAM};
  for (auto& argument : arguments) command.argv.push_back(std::move(argument));
  return command;
}

std::string child(const std::string& arguments) { return "'" + std::string(CHILD_PROGRAM) + "' " + arguments; }

std::string unique_token() {
  static int count = 0;
  return "token-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
}

std::vector<long> processes_with(const std::string& token) {
  std::vector<long> found;
  for (const auto& line : process_lines()) {
    const Process process(line);
    if (!process.is_zombie() && process.command.find(token) != std::string::npos) found.push_back(process.pid);
  }
  return found;
}

bool process_exists(long pid) {
  for (const auto& line : process_lines()) {
    const Process process(line);
    if (process.pid == pid) return !process.is_zombie();
  }
  return false;
}

std::size_t zombie_children() {
  std::size_t count = 0;
  for (const auto& line : process_lines()) {
    const Process process(line);
    if (process.is_zombie() && process.parent == ::getpid()) ++count;
  }
  return count;
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/dev/fd")) ++count;
  return count;
}

bool exited_with(const CommandOutcome& outcome, int code) {
  const auto* exited = std::get_if<Exited>(&outcome.ending);
  return exited != nullptr && exited->code == code;
}

std::string reason_of(const CommandOutcome& outcome) {
  const auto* failure = std::get_if<FailedToStart>(&outcome.ending);
  return failure != nullptr ? failure->reason : "";
}

std::string note_of(const CommandOutcome& outcome) {
  std::string all;
  for (const auto& note : outcome.notes) all += note + '\n';
  return all;
}

TemporaryFolder::TemporaryFolder() {
  std::string path = std::filesystem::temp_directory_path() / "cowork-test-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = std::filesystem::canonical(path);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::path(const std::string& name) const { return name.empty() ? path_ : path_ + '/' + name; }

}  // namespace cowork_terminal::process::testing
