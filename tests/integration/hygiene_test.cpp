// What a command finds around itself (contract C-17, C-18), and trees that try to escape their end (C-19 … C-21).

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/catch.hpp"
#include "support/server_process.hpp"

using namespace cowork_terminal::testing;
using Clock = std::chrono::steady_clock;

namespace {

struct Session : ServerProcess {
  explicit Session(ServerStart start = {}) : ServerProcess(std::move(start)) { initialize(); }
};

std::string stdout_of(const json& result) { return result.at("stdout").get<std::string>(); }

milliseconds since(Clock::time_point start) { return std::chrono::duration_cast<milliseconds>(Clock::now() - start); }

bool gone(std::string_view token, milliseconds patience = milliseconds(1'000)) {
  return wait_until([&] { return processes_with(token).empty(); }, patience);
}

}  // namespace

TEST_CASE("a command has descriptors 0, 1 and 2 and no others", "[C-17]") {
  Session server({.in_child = [] {
    // Descriptors that the client forgot to close.
    for (int i = 10; i < 20; ++i) static_cast<void>(dup2(2, i));
  }});
  CHECK(stdout_of(server.run(
            "for fd in $(seq 0 300); do [ -e /proc/$$/fd/$fd ] && echo -n $fd,; done; readlink /proc/$$/fd/0")) ==
        "0,1,2,/dev/null\n");
}

TEST_CASE("a command starts with an empty signal mask and default dispositions", "[C-17]") {
  Session server({.in_child = [] {
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGCHLD, SIG_IGN);
    ::signal(SIGHUP, SIG_IGN);
    ::signal(SIGUSR1, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
  }});
  const auto text = stdout_of(server.run("grep -E '^Sig(Blk|Ign)' /proc/self/status"));
  CHECK(text == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
  CHECK(stdout_of(server.run("yes | head -1")) == "y\n");
}

TEST_CASE("a command leads a session of its own without a terminal", "[C-17]") {
  Session server;
  const auto result = server.run("[ \"$(ps -o sid= -p $$ | tr -d ' ')\" = $$ ] && echo leader; exec 3</dev/tty");
  CHECK(stdout_of(result) == "leader\n");
  CHECK(result.at("exitCode") == 1);
}

TEST_CASE("the environment is the server's less the client's secrets and what changes bash", "[C-18]") {
  Session server({.environment = {{"CLAUDE_CODE_MESSAGING_TOKEN", "secret"},
                                  {"CLAUDE_CODE_MESSAGING_SOCKET", "/tmp/s"},
                                  {"BASHOPTS", "extglob"},
                                  {"SHELLOPTS", "xtrace:noclobber"},
                                  {"KEPT", "yes"},
                                  {"GIT_TERMINAL_PROMPT", "1"}}});
  const auto result = server.run(
      "echo $KEPT $CLAUDE_CODE_MESSAGING_TOKEN$CLAUDE_CODE_MESSAGING_SOCKET $GIT_TERMINAL_PROMPT; "
      "case $- in *[xC]*) echo options;; esac; shopt extglob");
  CHECK(stdout_of(result) == "yes 0\nextglob        \toff\n");
  CHECK(result.at("stderr") == "");
}

TEST_CASE("variables can be removed and hold any text", "[C-6][C-18]") {
  Session server;
  const auto result =
      server.run_with(json{{"command", "echo ${HOME-none}; printf %s \"$TEXT\"; echo; printenv 'odd.name'"},
                           {"env", {{"HOME", nullptr}, {"TEXT", "a\nb 'c' \"d\" $e \u4e2d"}, {"odd.name", 7}}}});
  CHECK(stdout_of(result) == "none\na\nb 'c' \"d\" $e \u4e2d\n7\n");
}

TEST_CASE("bash has no option that changes its meaning", "[C-15][C-16]") {
  Session server;
  CHECK(
      stdout_of(server.run(
          "false | true; echo $?; false; set -o | grep -E '^(errexit|pipefail|nounset|posix) '; shopt login_shell")) ==
      "0\nerrexit        \toff\nnounset        \toff\npipefail       \toff\nposix          \toff\nlogin_shell    "
      "\toff\n");
}

TEST_CASE("every byte of a command arrives, whatever it looks like", "[C-15]") {
  Session server;
  CHECK(stdout_of(server.run("-n() { echo dash; }; -n")) == "dash\n");
  CHECK(stdout_of(server.run("echo 'a!b' \"c\\\\d\" $'e\\tf' # comment without an end")) == "a!b c\\d e\tf\n");
  CHECK(server.run("echo 'unterminated").at("exitCode") == 2);
  CHECK(stdout_of(server.run("cat <<EOF\nno end")) == "no end\n");
  CHECK(stdout_of(server.run("\n\n  echo later\n\n")) == "later\n");
  CHECK(stdout_of(server.run("echo a\\\nb")) == "ab\n");
}

TEST_CASE("a command beyond the limit of one argument runs as the same text", "[C-15]") {
  Session server;
  std::string tail = "\n: <<'END'\n";
  while (tail.size() < 200'000) tail += "'\"\\`$(!x) \u4e2d\u6587 #\n";
  tail += "END\n";
  const auto result = server.run(
      "echo \"$#\" \"${-//c/}\"; echo 'a!b' \"c\\\\d\"; read -r x; echo $?; for fd in $(seq 3 250); do [ -e "
      "/proc/$$/fd/$fd ] && echo $fd; done; (exit 9)" +
      tail + "echo \"${x-unset}\"; exit 5");
  const auto direct = server.run("echo \"${-//c/}\"");
  CHECK(stdout_of(result) == "0 " + stdout_of(direct) + "a!b c\\d\n1\n\n");
  CHECK(result.at("exitCode") == 5);
  CHECK(result.at("stderr") == "");
}

TEST_CASE("environment values too large for the system are a clear error of that call", "[C-8]") {
  Session server;
  const auto result = server.execute({{"command", "true"}, {"env", {{"BIG", std::string(3'000'000, 'x')}}}});
  CHECK(result.at("isError") == true);
  CHECK(result.at("content").at(0).at("text").get<std::string>().find("env") != std::string::npos);
  CHECK(stdout_of(server.run("echo ok")) == "ok\n");
}

TEST_CASE("a timeout ends every way of leaving the group, other calls running beside", "[C-20]") {
  Session server;
  const int beside = server.call({{"command", "setsid sleep 30.3100 & sleep 3; echo beside"}});
  REQUIRE(wait_until([] { return !processes_with("30.3100").empty(); }));
  const std::pair<const char*, const char*> ways[] = {
      {"a child in its own session", "setsid sleep 30.3101 & wait"},
      {"a daemon by double fork", "(setsid sh -c '(sleep 30.3101 &) ; exit' &) ; sleep 30"},
      {"a cleared environment", "env -i setsid sleep 30.3101 & sleep 30"},
      {"disown", "sleep 30.3101 & disown; sleep 30"},
      {"nohup", "nohup setsid sleep 30.3101 >/dev/null 2>&1 & sleep 30"},
      {"a process substitution", "cat <(sleep 30.3101)"},
      {"a tree that ignores SIGTERM", "trap '' TERM; sleep 30.3101 & sleep 30"},
      {"a stopped child", "sleep 30.3101 & kill -STOP $!; sleep 30"},
      {"a child that forks on and on", "f() { setsid sleep 30.3101 & sleep 0.02; f; }; f"},
  };
  for (const auto& [way, command] : ways) {
    INFO(way);
    const auto start = Clock::now();
    const auto result = server.run_with(json{{"command", command}, {"timeout", 400}});
    CHECK(result.at("timedOut") == true);
    CHECK(since(start) < milliseconds(2'900 + 700));
    CHECK(processes_with("30.3101").empty());
  }
  CHECK(server.response(beside).at("result").at("structuredContent").at("stdout") == "beside\n");
  const auto survivors = processes_with("30.3100");
  CHECK(survivors.size() == 1);
  for (const pid_t survivor : survivors) kill(survivor, SIGKILL);
}

TEST_CASE("a tree that ends on SIGTERM is answered without waiting for SIGKILL", "[C-20]") {
  Session server;
  const auto start = Clock::now();
  const auto result =
      server.run_with(json{{"command", "trap 'echo cleaned; exit 3' TERM; sleep 30.3201 & wait"}, {"timeout", 300}});
  CHECK(since(start) < milliseconds(1'500));
  CHECK(stdout_of(result) == "cleaned\n");
  CHECK(result.at("exitCode").is_null());
  CHECK(result.at("timedOut") == true);
  CHECK(gone("30.3201"));
}

TEST_CASE("a call ends when bash ends, whatever still holds its pipes", "[C-19]") {
  Session server;
  const char* commands[] = {
      "setsid sleep 30.3301 & echo done",
      "sleep 30.3301 & disown; echo done",
      "(sleep 30.3301 &); echo done",
      "exec 3> >(sleep 30.3301); echo done",
      "for i in $(seq 20); do (while sleep 0.05; do echo 30.3301 $i; done) & done; exec true; echo never",
  };
  for (const auto* command : commands) {
    INFO(command);
    const auto start = Clock::now();
    const auto result = server.run(command);
    CHECK(since(start) < milliseconds(1'500));
    CHECK(result.at("exitCode") == 0);
    server.run("pkill -9 -f 30.3301; true");
  }
}

TEST_CASE("what bash printed before its end is whole although a background writer floods", "[C-19]") {
  Session server;
  const auto result = server.run("yes 30.3401 & seq 1 2000 >&2; kill -STOP $!; echo last >&2; kill -9 $!");
  std::string numbers;
  for (int i = 1; i <= 2'000; ++i) numbers += std::to_string(i) + "\n";
  CHECK(result.at("stderr") == numbers + "last\n");
}

TEST_CASE("a command that kills its own supervisor is still answered and ended", "[C-20][C-30]") {
  Session server;
  const auto result = server.execute({{"command", "kill -9 $PPID; sleep 30.3501"}, {"timeout", 2'000}});
  CHECK(result.contains("isError"));
  CHECK(gone("30.3501", milliseconds(4'000)));
  CHECK(stdout_of(server.run("echo ok")) == "ok\n");
  CHECK(wait_until([&] { return zombies_of(server.pid()).empty(); }));
}

TEST_CASE("descriptors, memory and zombies are flat after many mixed calls", "[C-23]") {
  Session server;
  // As many at once as later: some supervisors are kept.
  std::vector<int> first;
  for (int i = 0; i < 20; ++i) first.push_back(server.call({{"command", "true"}}));
  for (const int id : first) server.response(id);
  const auto descriptors = open_descriptors(server.pid());
  const auto memory = resident_kib(server.pid());
  for (int round = 0; round < 25; ++round) {
    std::vector<int> ids;
    for (int i = 0; i < 8; ++i) ids.push_back(server.call({{"command", "echo $RANDOM; exit $((RANDOM % 5))"}}));
    ids.push_back(server.call({{"command", "sleep 30.3601"}, {"timeout", 50}}));
    ids.push_back(server.call({{"command", "head -c 300000 /dev/urandom"}}));
    ids.push_back(server.call({{"command", 7}}));
    const int cancelled = server.call({{"command", "sleep 30.3601"}});
    server.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", cancelled}}}});
    for (const int id : ids) server.response(id);
  }
  CHECK(gone("30.3601", milliseconds(4'000)));
  CHECK(wait_until([&] { return open_descriptors(server.pid()) <= descriptors; }));
  CHECK(wait_until([&] { return zombies_of(server.pid()).empty(); }));
  CHECK(resident_kib(server.pid()) < memory + 16 * 1'024 + sanitizer_kib);
}

TEST_CASE("no flag of the client's descriptors is changed", "[C-17]") {
  Session server({.socket_pair = true});
  const std::string process = "/proc/" + std::to_string(server.pid());
  std::vector<std::string> sockets;
  for (const auto& entry : std::filesystem::directory_iterator(process + "/fd")) {
    const auto target = std::filesystem::read_symlink(entry.path()).string();
    if (target.rfind("socket:", 0) == 0) sockets.push_back(entry.path().filename());
  }
  CHECK(sockets.size() >= 2);
  server.run("true");
  for (const auto& descriptor : sockets) {
    // The flags of the open file description, which is the client's too.
    std::istringstream info(read_file(process + "/fdinfo/" + descriptor));
    std::string word;
    std::string flags;
    while (info >> word) {
      if (word == "flags:") info >> flags;
    }
    INFO(descriptor << " " << flags);
    CHECK((std::stoi(flags, nullptr, 8) & O_NONBLOCK) == 0);
  }
}

TEST_CASE("a running command is told from the server by its mark alone", "[C-18]") {
  Session server({.environment = {{"COWORK_TERMINAL_COMMAND", "stale"}}});
  const auto text = stdout_of(server.run("echo ${COWORK_TERMINAL_COMMAND-none}"));
  CHECK(text != "stale\n");
}
