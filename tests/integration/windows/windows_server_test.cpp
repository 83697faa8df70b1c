#include <algorithm>
#include <cowork_terminal/process/windows_text.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "integration/windows/server_process_windows.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::testing;
using namespace std::chrono_literals;

namespace {

namespace fs = std::filesystem;

constexpr char standard_bash[] = "C:\\Program Files\\Git\\bin\\bash.exe";

fs::path as_path(const std::string& utf8) { return fs::path{process::to_utf16(utf8)}; }

// A folder that is there until the end of the test.
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(unused_path(name)) { fs::create_directories(as_path(path_)); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(as_path(path_), ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string run_program(const std::vector<std::string>& arguments, DWORD exit_code) {
  PipedProgram program{{PROGRAM, arguments, {}}};
  program.close_input();
  CHECK(program.wait_for_exit() == exit_code);
  return program.output().whole();
}

// PROGRAM as Windows writes it.
std::string own_path() {
  std::string path{PROGRAM};
  std::replace(path.begin(), path.end(), '/', '\\');
  return path;
}

std::string error_text(const json& result) {
  CHECK(result.at("isError") == true);
  CHECK_FALSE(result.contains("structuredContent"));
  return result.at("content").at(0).at("text").get<std::string>();
}

}  // namespace

TEST_CASE("a command runs and every line of the server ends in a bare LF", "[win][K24]") {
  Server server;
  const auto result = server.execute({{"command", "echo hello\nerr bad\nexit 7"}});
  CHECK_FALSE(result.value("isError", false));
  const auto& content = result.at("structuredContent");
  CHECK(content.at("stdout") == "hello\n");
  CHECK(content.at("stderr") == "bad\n");
  CHECK(content.at("exitCode") == 7);
  CHECK(content.at("timedOut") == false);
  CHECK(json::parse(result.at("content").at(0).at("text").get<std::string>()) == content);
  for (const auto& line : server.raw_lines) {
    CHECK(line.find('\r') == std::string::npos);
    CHECK(line.back() == '\n');
  }
}

TEST_CASE("exit codes of Git Bash are told as bash means them", "[win][C-20a]") {
  Server server;
  CHECK(server.run("exit 255").at("exitCode") == 255);
  const auto killed = server.run("exit 2304");
  CHECK(killed.at("exitCode") == 137);
  CHECK(killed.at("signal") == "SIGKILL");
  const auto crashed = server.run("exit 0xC0000005");
  CHECK(crashed.at("exitCode") == 255);
  CHECK(crashed.at("notes").dump().find("0xC0000005") != std::string::npos);
  CHECK(server.run("no-such-verb").at("exitCode") == 127);
}

TEST_CASE("a timeout ends a tree of three processes", "[win][C-20][K09]") {
  Server server;
  const auto outcome = server.run_with({{"command", "echo partial\ntree 60000\nsleep 60000"}, {"timeout", 3'000}});
  CHECK(outcome.at("timedOut") == true);
  CHECK(outcome.at("exitCode").is_null());
  const auto output = outcome.at("stdout").get<std::string>();
  CHECK(output.rfind("partial\n", 0) == 0);
  const auto pids = pids_in(output);
  REQUIRE(pids.size() == 3);
  for (const auto pid : pids) CHECK_FALSE(is_alive(pid));
}

TEST_CASE("a command of 9,000 characters with quotes, globs and backslashes arrives unchanged", "[win][C-15]") {
  std::string script = "cat-script\nexit 0\n";
  while (script.size() < 9'000)
    script += "'a' \"b\" \\ \\\\ \\\" * ? [x] {a,b} $y %PATH% ^ & | < > ! `z` \xC3\xA9\xE6\x97\xA5\r\n\t#";
  Server server;
  CHECK(server.run(script).at("stdout") == script);
}

TEST_CASE("text beyond ASCII goes both ways and what is not UTF-8 is repaired", "[win][C-12][K95]") {
  Server server;
  CHECK(server.run("echo \xC3\xA9 \xE4\xBD\xA0\xE5\xA5\xBD \xF0\x9F\x98\x80").at("stdout") ==
        "\xC3\xA9 \xE4\xBD\xA0\xE5\xA5\xBD \xF0\x9F\x98\x80\n");
  CHECK(server.run("bytes fffe6f6b0d0a").at("stdout") == "\xEF\xBF\xBD\xEF\xBF\xBDok\r\n");
  CHECK(server.run_with({{"command", "env N\xC3\x89"}, {"env", {{"N\xC3\x89", "\xE6\x97\xA5"}}}}).at("stdout") ==
        "\xE6\x97\xA5\n");
}

TEST_CASE("the working directory may be written as Windows, CMake or Git Bash write it", "[win][C-9]") {
  const Folder folder{"a b \xC3\xB1 \xE4\xB8\xAD 'q'"};
  REQUIRE(folder.path().substr(1, 2) == ":\\");
  std::string slashes = folder.path();
  std::replace(slashes.begin(), slashes.end(), '\\', '/');
  const std::string msys = std::string{"/"} + static_cast<char>(slashes[0] | 0x20) + slashes.substr(2);
  Server server;
  for (const auto& written : {folder.path(), slashes, msys}) {
    CHECK(server.run_with({{"command", "pwd"}, {"cwd", written}}).at("stdout") == folder.path() + "\n");
  }
}

TEST_CASE("a missing working directory is named as it was written", "[win][K40]") {
  Server server;
  for (const std::string written : {"C:\\no\\such", "C:/no/such", "/c/no/such"}) {
    const auto text = error_text(server.execute({{"command", "echo ran"}, {"cwd", written}}));
    CHECK(text.find(written) != std::string::npos);
    CHECK(text.find("bash") == std::string::npos);
  }
}

TEST_CASE("without a cwd commands run in the home directory", "[win][C-18a][K45]") {
  const Folder home{"home"};
  Server server{{}, {{"USERPROFILE", home.path()}}};
  CHECK(server.run("pwd").at("stdout") == home.path() + "\n");
  CHECK(server.run_with({{"command", "pwd"}, {"cwd", "~"}}).at("stdout") == home.path() + "\n");
}

TEST_CASE("variables that Windows programs cannot do without are repaired", "[win][C-18]") {
  Server server{{}, {{"PATHEXT", std::nullopt}, {"SystemRoot", std::nullopt}, {"COMSPEC", std::nullopt}}};
  const auto output = server.run("env PATHEXT\nenv SystemRoot\nenv ComSpec").at("stdout").get<std::string>();
  CHECK(output.find("(unset)") == std::string::npos);
  CHECK(output.find(".EXE") != std::string::npos);
}

TEST_CASE("the environment of a call lies over the server's, whatever the case of its names", "[win][C-18][K35]") {
  Server server{{}, {{"Cowork_Case", "server"}}};
  const auto output =
      server.run_with({{"command", "environment"}, {"env", {{"COWORK_CASE", "call"}}}}).at("stdout").get<std::string>();
  CHECK(output.find("Cowork_Case=call\n") != std::string::npos);
  CHECK(output.find("server\n") == std::string::npos);
  CHECK(output.find("GIT_TERMINAL_PROMPT=0\n") != std::string::npos);
  CHECK(server.run("env cowork_case").at("stdout") == "server\n");
}

TEST_CASE("a background process lives on after its call", "[win][C-19][K01]") {
  const auto done = unused_path("done");
  Server server;
  const auto output = server.run("background 1500 flood 300000 ; touch " + done + "\necho started").at("stdout");
  CHECK(output.get<std::string>().find("started\n") != std::string::npos);
  CHECK_FALSE(file_exists(done));
  CHECK(wait_until([&] { return file_exists(done); }));
}

TEST_CASE("a cancelled call gets no answer and its tree is gone", "[win][C-21][K78]") {
  const auto late = unused_path("late");
  Server server;
  const int id = server.call({{"command", "sleep 2000\ntouch " + late}});
  server.cancel(id);
  server.response(server.request("ping", json::object()));
  std::this_thread::sleep_for(2'500ms);
  CHECK_FALSE(file_exists(late));
  server.response(server.request("ping", json::object()));
  for (const auto& line : server.raw_lines) CHECK(json::parse(line).value("id", 0) != id);
}

TEST_CASE("a slow call delays no other", "[win][C-22][K74]") {
  Server server;
  const int slow = server.call({{"command", "sleep 3000\necho slow"}});
  const auto begin = std::chrono::steady_clock::now();
  CHECK(server.run("echo quick").at("stdout") == "quick\n");
  server.response(server.request("ping", json::object()));
  CHECK(std::chrono::steady_clock::now() - begin < 2'500ms);
  CHECK(server.response(slow).at("result").at("structuredContent").at("stdout") == "slow\n");
}

TEST_CASE("the end of stdin ends the server with exit code 0", "[win][C-26][K64]") {
  Server server;
  const int id = server.call({{"command", "echo last"}});
  server.program().close_input();
  CHECK(server.program().wait_for_exit(5s) == 0);
  CHECK(server.response(id).at("result").at("structuredContent").at("stdout") == "last\n");
}

TEST_CASE("the trees and scripts of running commands go with a server that is killed, what had ended lives on",
          "[win][C-26b]") {
  const auto done = unused_path("done");
  const auto running = unused_path("running");
  const auto late = unused_path("late");
  auto server = std::make_unique<Server>();
  server->run("background-quiet 2500 touch " + done + "\necho started");
  server->call({{"command", "touch " + running + "\nbackground 1500 touch " + late + "\nsleep 60000"}});
  REQUIRE(wait_until([&] { return file_exists(running); }));
  const fs::path temporary = as_path(running).parent_path();
  const auto scripts = [&] {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator{temporary}) {
      if (entry.path().filename().wstring().rfind(L"cowork-terminal-script-", 0) != 0) continue;
      std::copy(fs::directory_iterator{entry.path()}, {}, std::back_inserter(found));
    }
    return found;
  };
  CHECK(scripts().size() == 1);
  server->program().kill();
  CHECK(wait_until([&] { return scripts().empty(); }, 1s));
  CHECK(wait_until([&] { return file_exists(done); }));
  CHECK_FALSE(file_exists(late));
}

TEST_CASE("the bash of Git for Windows is found where its installer puts it", "[win][C-14][K28]") {
  REQUIRE(file_exists(standard_bash));
  Server server{{"--log-level", "info"}};
  server.program().close_input();
  CHECK(server.program().wait_for_exit() == 0);
  CHECK(server.program().error().whole().find(standard_bash) != std::string::npos);
}

TEST_CASE("without a bash the server says where it looked and ends with 2", "[win][C-14]") {
  const std::string nowhere = "C:\\nowhere";
  PipedProgram program{{PROGRAM,
                        {},
                        {{"ProgramFiles", nowhere},
                         {"ProgramW6432", nowhere},
                         {"ProgramFiles(x86)", nowhere + " x86"},
                         {"LOCALAPPDATA", nowhere + "\\local"}}}};
  CHECK(program.wait_for_exit() == 2);
  const auto text = program.error().whole();
  for (const auto* checked :
       {"C:\\nowhere\\Git\\bin\\bash.exe", "C:\\nowhere\\Git\\usr\\bin\\bash.exe",
        "C:\\nowhere x86\\Git\\bin\\bash.exe", "C:\\nowhere x86\\Git\\usr\\bin\\bash.exe",
        "C:\\nowhere\\local\\Programs\\Git\\bin\\bash.exe", "C:\\nowhere\\local\\Programs\\Git\\usr\\bin\\bash.exe",
        "https://git-scm.com/download/win"}) {
    CHECK(text.find(checked) != std::string::npos);
  }
  CHECK(program.output().whole().empty());
}

TEST_CASE("--bash names a file that must be there", "[win][C-14]") {
  PipedProgram program{{PROGRAM, {"--bash", "C:\\nowhere\\bash.exe"}}};
  CHECK(program.wait_for_exit() == 2);
  CHECK(program.error().whole().find("C:\\nowhere\\bash.exe") != std::string::npos);
}

TEST_CASE("exec prints the bytes of the command and returns its exit code", "[win]") {
  CHECK(run_program({"--bash", STAND_IN_BASH, "exec", "--", "echo", "\xC3\xA9 a\tb"}, 0) == "\xC3\xA9 a\tb\n");
  CHECK(run_program({"--bash", STAND_IN_BASH, "exec", "--", "bytes 0d0a0a"}, 0) == "\r\n\n");
  CHECK(run_program({"--bash", STAND_IN_BASH, "exec", "--", "exit 9"}, 9).empty());
  CHECK(run_program({"--bash", STAND_IN_BASH, "exec", "--timeout", "200", "--", "sleep 60000"}, 124).empty());
}

TEST_CASE("install hands Claude Code its entry also where npm has put a claude.cmd", "[win]") {
  const Folder npm{"npm & more"};
  const Folder home{"home"};
  std::ofstream{as_path(npm.path() + "\\claude.cmd")} << "@\"" << STAND_IN_BASH
                                                      << "\" arguments %* > \"%~dp0said\"\r\n";
  PipedProgram program{{PROGRAM,
                        {"install", "--client", "claude-code", "--", "--bash", "C:\\a b\\bash.exe"},
                        {{"PATH", npm.path()}, {"USERPROFILE", home.path()}}}};
  CHECK(program.wait_for_exit() == 0);
  CHECK(program.error().whole().empty());
  std::ifstream said{as_path(npm.path() + "\\said")};
  CHECK(std::string{std::istreambuf_iterator<char>{said}, {}} ==
        "[mcp]\n[add]\n[cowork-terminal]\n[-s]\n[user]\n[--]\n[" + own_path() + "]\n[--bash]\n[C:\\a b\\bash.exe]\n");
}

TEST_CASE("--version prints one line that ends in LF", "[win][C-3]") {
  CHECK(run_program({"--version"}, 0) == std::string{"cowork-terminal-mcp "} + VERSION + "\n");
}

TEST_CASE("the program runs from a folder with blanks and other scripts", "[win][K125]") {
  const Folder folder{"Program Files \xE6\x97\xA5"};
  const auto copy = folder.path() + "\\cowork-terminal-mcp.exe";
  fs::copy_file(as_path(PROGRAM), as_path(copy));
  PipedProgram program{{copy, {"--version"}}};
  CHECK(program.wait_for_exit() == 0);
}
