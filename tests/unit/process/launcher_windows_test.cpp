#include <windows.h>

#include <algorithm>
#include <chrono>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <cowork_terminal/process/windows_text.hpp>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "process/unique_handle_windows.hpp"
#include "support/catch.hpp"
#include "unit/loop/run_until.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::process;
using namespace std::chrono_literals;

namespace {

std::string temporary_folder() {
  wchar_t path[MAX_PATH + 2];
  return to_utf8({path, ::GetTempPathW(MAX_PATH + 2, path)});
}

bool exists(const std::string& path) { return ::GetFileAttributesW(to_utf16(path).c_str()) != INVALID_FILE_ATTRIBUTES; }

std::string unused_file() {
  static int counter = 0;
  const auto path =
      temporary_folder() + "cowork-test-" + std::to_string(::GetCurrentProcessId()) + "-" + std::to_string(++counter);
  ::DeleteFileW(to_utf16(path).c_str());
  return path;
}

bool is_alive(DWORD pid) {
  const UniqueHandle process{::OpenProcess(SYNCHRONIZE, FALSE, pid)};
  return process && ::WaitForSingleObject(process.get(), 0) == WAIT_TIMEOUT;
}

// The numbers of the lines "pid N".
std::vector<DWORD> pids_in(const std::string& output) {
  std::vector<DWORD> pids;
  std::istringstream lines{output};
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("pid ", 0) == 0) pids.push_back(static_cast<DWORD>(std::stoul(line.substr(4))));
  }
  return pids;
}

Command stand_in(std::string script) {
  Command command;
  command.argv = {STAND_IN_BASH, "--"};
  command.script = std::move(script);
  command.working_directory = temporary_folder();
  command.environment = Environment::current();
  command.timeout = 20s;
  return command;
}

struct Fixture {
  loop::EventLoop loop;
  std::unique_ptr<CommandRunner> runner = make_local_command_runner(loop);

  CommandOutcome run(Command command) {
    std::optional<CommandOutcome> outcome;
    runner->start(std::move(command), [&](CommandOutcome ended) { outcome = std::move(ended); });
    REQUIRE(run_until(
        loop, [&] { return outcome.has_value(); }, 30s));
    return std::move(*outcome);
  }
  CommandOutcome run(std::string script) { return run(stand_in(std::move(script))); }
};

int exit_code(const CommandOutcome& outcome) {
  REQUIRE(std::holds_alternative<Exited>(outcome.ending));
  return std::get<Exited>(outcome.ending).code;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "both streams and the exit code come back", "[process]") {
  const auto outcome = run("echo out\nerr bad\nexit 7\n");
  CHECK(outcome.standard_output.text == "out\n");
  CHECK(outcome.standard_error.text == "bad\n");
  CHECK(exit_code(outcome) == 7);
  CHECK(outcome.notes.empty());
}

TEST_CASE_METHOD(Fixture, "a command of 9,000 characters with quotes, globs and backslashes arrives unchanged",
                 "[process][C-15]") {
  std::string script = "cat-script\nexit 0\n";
  while (script.size() < 9'000)
    script += "'a' \"b\" \\ \\\\ \\\" * ? [x] {a,b} $y %PATH% ^ & | < > ! `z` \xC3\xA9\xE6\x97\xA5\r\n\t#";
  const auto outcome = run(script);
  CHECK(outcome.standard_output.text == script);
}

TEST_CASE_METHOD(Fixture, "the script is a private file that is gone afterwards", "[process][C-15]") {
  const auto outcome = run("script-path\n");
  const auto path = outcome.standard_output.text.substr(0, outcome.standard_output.text.find('\n'));
  CHECK(path.find('\\') == std::string::npos);
  CHECK_FALSE(exists(path));
  CHECK_FALSE(exists(path.substr(0, path.rfind('/'))));
}

TEST_CASE_METHOD(Fixture, "a folder with blanks, quotes and other scripts is a working directory", "[process][K43]") {
  auto command = stand_in("pwd\n");
  command.working_directory = temporary_folder() + "a b \xC3\xB1 \xE4\xB8\xAD\xE6\x96\x87 'q'";
  ::CreateDirectoryW(to_utf16(command.working_directory).c_str(), nullptr);
  const auto directory = command.working_directory;
  CHECK(run(std::move(command)).standard_output.text == directory + "\n");
  ::RemoveDirectoryW(to_utf16(directory).c_str());
}

TEST_CASE_METHOD(Fixture, "a working directory beyond the limit of Windows works or is refused with the way out",
                 "[process]") {
  auto command = stand_in("echo here\n");
  const auto top = temporary_folder() + "cowork-long";
  std::vector<std::wstring> made;
  std::wstring path = L"\\\\?\\" + to_utf16(top);
  for (int depth = 0; depth < 6; ++depth) {
    ::CreateDirectoryW(path.c_str(), nullptr);
    made.push_back(path);
    path += L"\\" + std::wstring(60, L'd');
  }
  command.working_directory = to_utf8(made.back()).substr(4);
  REQUIRE(command.working_directory.size() > 300);
  const auto outcome = run(std::move(command));
  if (const auto* failed = std::get_if<FailedToStart>(&outcome.ending)) {
    CHECK(failed->reason.find("`cd` from there") != std::string::npos);
  } else {
    CHECK(outcome.standard_output.text == "here\n");
  }
  for (auto folder = made.rbegin(); folder != made.rend(); ++folder) ::RemoveDirectoryW(folder->c_str());
}

TEST_CASE_METHOD(Fixture, "a missing working directory is named, the program is not blamed", "[process][K40]") {
  auto command = stand_in("echo ran\n");
  command.working_directory = "C:\\no\\such folder";
  const auto outcome = run(std::move(command));
  REQUIRE(std::holds_alternative<FailedToStart>(outcome.ending));
  const auto& reason = std::get<FailedToStart>(outcome.ending).reason;
  CHECK(reason.find("C:\\no\\such folder") != std::string::npos);
  CHECK(reason.find("bash") == std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a missing program is named", "[process]") {
  auto command = stand_in("echo ran\n");
  command.argv.front() = "C:\\nowhere\\bash.exe";
  const auto outcome = run(std::move(command));
  REQUIRE(std::holds_alternative<FailedToStart>(outcome.ending));
  CHECK(std::get<FailedToStart>(outcome.ending).reason.find("C:\\nowhere\\bash.exe") != std::string::npos);
}

// %NAME% is held by batch_file_line_test.cpp: the cmd.exe of Wine 8 expands a file's %* once more than that of Windows.
TEST_CASE_METHOD(Fixture, "what a batch file is given reaches the program that it starts", "[process]") {
  const auto batch = unused_file() + " & more.cmd";
  std::ofstream{std::filesystem::path{to_utf16(batch)}} << "@\"" << STAND_IN_BASH
                                                        << "\" arguments %*\r\n@exit /b 3\r\n";
  Command command = stand_in({});
  command.script.reset();
  command.argv = {batch, "mcp", "a b", "a&b|c<d>e", "^", "!x!", "(y)", R"(C:\a b\)", R"({"a":"b & c"})", ""};
  const auto outcome = run(std::move(command));
  CHECK(outcome.standard_error.text.empty());
  CHECK(outcome.standard_output.text ==
        "[mcp]\n[a b]\n[a&b|c<d>e]\n[^]\n[!x!]\n[(y)]\n[C:\\a b\\]\n[{\"a\":\"b & c\"}]\n[]\n");
  CHECK(exit_code(outcome) == 3);
  ::DeleteFileW(to_utf16(batch).c_str());
}

TEST_CASE_METHOD(Fixture, "the command gets the environment that it is given and nothing else", "[process][C-18]") {
  ::SetEnvironmentVariableW(L"COWORK_TEST_OWN", L"leaked");
  auto command = stand_in("env COWORK_TEST_OWN\nenv given\n");
  command.environment.remove("COWORK_TEST_OWN");
  command.environment.set("GIVEN", "a=b \xE6\x97\xA5");
  CHECK(run(std::move(command)).standard_output.text == "(unset)\na=b \xE6\x97\xA5\n");
  ::SetEnvironmentVariableW(L"COWORK_TEST_OWN", nullptr);
}

TEST_CASE_METHOD(Fixture, "stdin is empty and there is no console window", "[process][C-17][K31][K51]") {
  CHECK(run("stdin\nwindow\n").standard_output.text == "0 bytes\nnone\n");
}

TEST_CASE_METHOD(Fixture, "no handle but the three is inherited", "[process][C-17]") {
  const auto path = to_utf16(unused_file());
  SECURITY_ATTRIBUTES inheritable{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  const UniqueHandle file{
      ::CreateFileW(path.c_str(), GENERIC_WRITE, 0, &inheritable, CREATE_ALWAYS, FILE_FLAG_DELETE_ON_CLOSE, nullptr)};
  REQUIRE(file);
  const auto number = std::to_string(reinterpret_cast<std::uintptr_t>(file.get()));
  CHECK(run("handle " + number + "\n").standard_output.text != "disk\n");
}

TEST_CASE_METHOD(Fixture, "a timeout ends a tree of three processes and keeps what was printed",
                 "[process][C-20][K09][K10]") {
  auto command = stand_in("echo partial\nerr wrong\ntree 60000\nsleep 60000\n");
  command.timeout = 3s;
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = run(std::move(command));
  CHECK(std::chrono::steady_clock::now() - begin < 5'500ms);
  CHECK(std::holds_alternative<TimedOut>(outcome.ending));
  CHECK(outcome.standard_output.text.rfind("partial\n", 0) == 0);
  CHECK(outcome.standard_error.text == "wrong\n");
  const auto pids = pids_in(outcome.standard_output.text);
  REQUIRE(pids.size() == 3);
  for (const auto pid : pids) CHECK_FALSE(is_alive(pid));
}

TEST_CASE_METHOD(Fixture, "a cancelled command is gone with its tree", "[process][C-21]") {
  std::optional<CommandOutcome> outcome;
  const auto running =
      runner->start(stand_in("tree 60000\nsleep 60000\n"), [&](CommandOutcome ended) { outcome = std::move(ended); });
  std::string output;
  REQUIRE(run_until(loop, [&] {
    output += running->take_output().standard_output.text;
    return pids_in(output).size() == 3;
  }));
  const auto pids = pids_in(output);
  CHECK(running->pid() == static_cast<std::int64_t>(pids.front()));
  CHECK(is_alive(pids.back()));
  running->cancel();
  REQUIRE(run_until(loop, [&] { return outcome.has_value(); }));
  CHECK(std::holds_alternative<Cancelled>(outcome->ending));
  for (const auto pid : pids) CHECK_FALSE(is_alive(pid));
}

TEST_CASE_METHOD(
    Fixture, "a background process that holds the pipe delays the answer by no more than the drain time and lives on",
    "[process][C-19][K01][K04]") {
  const auto done = unused_file();
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = run("background 1500 flood 300000 ; touch " + done + "\necho started\n");
  CHECK(std::chrono::steady_clock::now() - begin < 1'400ms);
  CHECK(outcome.standard_output.text.find("started\n") != std::string::npos);
  CHECK(exit_code(outcome) == 0);
  CHECK_FALSE(exists(done));
  // It would stand still in its flood if nobody read.
  CHECK(run_until(loop, [&] { return exists(done); }));
  ::DeleteFileW(to_utf16(done).c_str());
}

TEST_CASE_METHOD(Fixture, "a background process without our pipes does not delay the answer and lives on",
                 "[process][C-19]") {
  const auto done = unused_file();
  const auto outcome = run("background-quiet 1000 touch " + done + "\necho started\n");
  CHECK(outcome.duration < 900ms);
  CHECK_FALSE(exists(done));
  CHECK(run_until(loop, [&] { return exists(done); }));
  ::DeleteFileW(to_utf16(done).c_str());
}

TEST_CASE_METHOD(Fixture, "what a background process writes within the drain time belongs to the answer",
                 "[process][C-19]") {
  const auto there = unused_file();
  const auto going = unused_file();
  const auto outcome = run("background 0 touch " + there + " ; wait-for " + going + " ; sleep 20 ; echo late\n" +
                           "wait-for " + there + "\necho now\ntouch " + going + "\n");
  CHECK(outcome.standard_output.text.find("now\n") != std::string::npos);
  CHECK(outcome.standard_output.text.find("late\n") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "nothing written before the end is lost, whoever holds the pipe", "[process][C-19]") {
  for (const std::string background : {"", "background 2000 echo late\n"}) {
    for (int round = 0; round < 10; ++round) {
      const auto outcome = run(background + "flood 1000000\nexit 3\n");
      CHECK(std::count(outcome.standard_output.text.begin(), outcome.standard_output.text.end(), 'x') == 1'000'000);
      CHECK(exit_code(outcome) == 3);
    }
  }
}

TEST_CASE_METHOD(Fixture, "beyond the limit output is read and thrown away", "[process][C-11]") {
  const auto outcome = run("flood 3000000\n");
  CHECK(outcome.standard_output.text.size() == 1'048'576);
  CHECK(outcome.standard_output.truncated);
  CHECK(outcome.standard_output.total_bytes == 3'000'000);
  CHECK(exit_code(outcome) == 0);
}

TEST_CASE_METHOD(Fixture, "Windows exit codes that bash does not know are told", "[process][C-20a]") {
  const auto killed = run("exit 2304\n");
  REQUIRE(std::holds_alternative<Signaled>(killed.ending));
  CHECK(std::get<Signaled>(killed.ending).signal == 9);
  CHECK(signal_name(9) == "SIGKILL");

  const auto crashed = run("exit 0xC0000005\n");
  CHECK(exit_code(crashed) == 255);
  REQUIRE(crashed.notes.size() == 1);
  CHECK(crashed.notes.front().find("0xC0000005") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "an exit code that reads STILL_ACTIVE is an end all the same", "[process][C-20a]") {
  CHECK(exit_code(run("exit 259\n")) == 255);
}

TEST_CASE_METHOD(Fixture, "twenty commands run at once", "[process][C-22]") {
  int ended = 0;
  for (int i = 0; i < 20; ++i) {
    runner->start(stand_in("sleep 300\necho " + std::to_string(i) + "\n"), [&, i](CommandOutcome outcome) {
      if (outcome.standard_output.text == std::to_string(i) + "\n") ++ended;
    });
  }
  CHECK(run_until(loop, [&] { return ended == 20; }));
}

TEST_CASE_METHOD(Fixture, "a server that leaves ends its commands and starts no more", "[process][C-26]") {
  std::optional<CommandOutcome> outcome;
  const auto running =
      runner->start(stand_in("echo before\nsleep 60000\n"), [&](CommandOutcome ended) { outcome = std::move(ended); });
  REQUIRE(run_until(loop, [&] { return running->output_bytes() != 0; }));
  runner->end_all(500ms);
  REQUIRE(run_until(loop, [&] { return outcome.has_value(); }));
  REQUIRE(std::holds_alternative<Signaled>(outcome->ending));
  CHECK(outcome->standard_output.text == "before\n");
  CHECK_FALSE(outcome->notes.empty());
  CHECK(std::holds_alternative<FailedToStart>(run("echo ran\n").ending));
}

TEST_CASE_METHOD(Fixture, "commands leave no handle behind", "[process][C-23]") {
  const auto handles = [] {
    DWORD count = 0;
    ::GetProcessHandleCount(::GetCurrentProcess(), &count);
    return count;
  };
  run("echo warm\n");
  const auto before = handles();
  for (int i = 0; i < 20; ++i) run("echo x\nerr y\n");
  auto timed = stand_in("sleep 60000\n");
  timed.timeout = 50ms;
  run(std::move(timed));
  CHECK(handles() <= before + 2);
}
