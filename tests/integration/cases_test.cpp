// The faults users met elsewhere, as small inputs: each case by its number, in the order of its kind.

#include <signal.h>

#include <fstream>

#include "support/catch.hpp"
#include "support/server_process.hpp"

using namespace cowork_terminal::testing;
using Clock = std::chrono::steady_clock;

namespace {

milliseconds since(Clock::time_point start) { return std::chrono::duration_cast<milliseconds>(Clock::now() - start); }

struct Session : ServerProcess {
  explicit Session(ServerStart start = {}) : ServerProcess(std::move(start)) { initialize(); }
};

bool gone(std::string_view token, milliseconds patience = milliseconds(4'000)) {
  return wait_until([&] { return processes_with(token).empty(); }, patience);
}

std::string stdout_of(const json& result) { return result.at("stdout").get<std::string>(); }

bool mentions(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

std::string refusal(const json& result) {
  REQUIRE(result.at("isError") == true);
  REQUIRE(result.at("content").size() == 1);
  CHECK_FALSE(result.contains("structuredContent"));
  return result.at("content").at(0).at("text").get<std::string>();
}

}  // namespace

TEST_CASE("a background process does not keep the call open, and lives on", "[K01][C-19]") {
  Session server;
  const auto start = Clock::now();
  const auto result = server.run("sleep 30.0101 & echo started");
  CHECK(since(start) < milliseconds(2'000));
  CHECK(stdout_of(result) == "started\n");
  CHECK(result.at("exitCode") == 0);
  CHECK(result.at("timedOut") == false);
  const auto sleepers = processes_with("30.0101");
  REQUIRE(sleepers.size() == 1);
  kill(sleepers.front(), SIGKILL);
}

TEST_CASE("late output of a background process is drained and does not kill it", "[K04][C-19]") {
  Session server;
  const TemporaryFolder folder;
  const auto done = folder.file("done");
  const auto result = server.run("(sleep 1; echo late; touch " + done + ") & echo now");
  CHECK(stdout_of(result) == "now\n");
  CHECK(wait_until([&] { return std::ifstream(done).good(); }, milliseconds(5'000)));
  CHECK(server.run("ls " + done).at("exitCode") == 0);
}

TEST_CASE("a timeout ends the whole pipeline and not only the shell", "[K05][C-20]") {
  Session server;
  const auto start = Clock::now();
  const auto result = server.run_with(json{{"command", "sleep 30.0501 | cat"}, {"timeout", 500}});
  CHECK(since(start) < milliseconds(3'000));
  CHECK(result.at("timedOut") == true);
  CHECK(result.at("exitCode").is_null());
  CHECK(gone("30.0501", milliseconds(1'000)));
}

TEST_CASE("what was printed before a timeout is in the answer", "[K10][C-20]") {
  Session server;
  const auto result = server.run_with(json{{"command", "echo partial; echo err >&2; sleep 60"}, {"timeout", 700}});
  CHECK(result.at("stdout") == "partial\n");
  CHECK(result.at("stderr") == "err\n");
  CHECK(result.at("timedOut") == true);
  CHECK(result.at("exitCode").is_null());
}

TEST_CASE("the cut leaves out a character that does not fit whole", "[K13][C-12]") {
  Session server;
  const auto result = server.run(R"(head -c 1048575 /dev/zero | tr '\0' a; printf '\342\202\254\342\202\254')");
  CHECK(stdout_of(result) == std::string(1'048'575, 'a') + "\n[stdout truncated at 1MB]");
}

TEST_CASE("exactly 1 MiB is whole and one byte more is cut", "[C-11]") {
  Session server;
  CHECK(stdout_of(server.run(R"(head -c 1048576 /dev/zero | tr '\0' a)")) == std::string(1'048'576, 'a'));
  CHECK(stdout_of(server.run(R"(head -c 1048577 /dev/zero | tr '\0' a)")) ==
        std::string(1'048'576, 'a') + "\n[stdout truncated at 1MB]");
}

TEST_CASE("characters split between reads are kept whole", "[K18][C-12]") {
  Session server;
  std::string euros;
  for (int i = 0; i < 200'000; ++i) euros += "\u20ac";
  CHECK(stdout_of(server.run("yes '\u20ac' | tr -d '\\n' | head -c 600000")) == euros);
}

TEST_CASE("invalid bytes become U+FFFD in a valid line", "[K19][P3][C-12]") {
  Session server;
  const auto result = server.run(R"(printf '\377\376ok\n')");
  CHECK(stdout_of(result) == "\ufffd\ufffdok\n");
  CHECK(result.at("exitCode") == 0);
}

TEST_CASE("NUL in output is kept", "[K21][C-12]") {
  Session server;
  CHECK(stdout_of(server.run(R"(printf 'a\0b')")) == std::string("a\0b", 3));
}

TEST_CASE("output line ends are not normalised and ours are one LF", "[K24][K25]") {
  Session server;
  const int id = server.call({{"command", R"(printf 'a\r\nb\r\n')"}});
  const auto line = server.read_line();
  REQUIRE(line);
  CHECK(line->back() == '}');
  const auto message = json::parse(*line);
  CHECK(message.at("id") == id);
  CHECK(message.at("result").at("structuredContent").at("stdout") == "a\r\nb\r\n");
}

TEST_CASE("no conversion variable is set by the server, and the caller's reaches the command", "[K32]") {
  Session server({.environment = {{"MSYS_NO_PATHCONV", std::nullopt}}});
  CHECK(stdout_of(server.run_with(
            json{{"command", "printenv MSYS_NO_PATHCONV"}, {"env", {{"MSYS_NO_PATHCONV", "1"}}}})) == "1\n");
  CHECK(server.run("printenv MSYS_NO_PATHCONV").at("exitCode") == 1);
}

TEST_CASE("env is added to the inherited environment for one call", "[K34][C-18]") {
  Session server;
  CHECK(stdout_of(server.run_with(json{{"command", "echo $FOO; echo ${HOME:+home}"}, {"env", {{"FOO", "1"}}}})) ==
        "1\nhome\n");
  CHECK(stdout_of(server.run("echo ${FOO-none}")) == "none\n");
}

TEST_CASE("a missing directory is named as cwd and never as a missing shell", "[K40][C-8]") {
  Session server;
  const TemporaryFolder folder;
  const auto text = refusal(server.execute({{"command", "touch " + folder.file("ran")}, {"cwd", "/no/such/dir"}}));
  CHECK(mentions(text, "cwd"));
  CHECK(mentions(text, "/no/such/dir"));
  CHECK_FALSE(mentions(text, "bash"));
  CHECK_FALSE(std::ifstream(folder.file("ran")).good());
  CHECK(mentions(refusal(server.execute({{"command", "true"}, {"cwd", "/etc/passwd"}})), "not a directory"));
}

TEST_CASE("a directory may have blanks, quotes and any script in its name", "[K43]") {
  Session server;
  const TemporaryFolder folder;
  const auto path = folder.file("a b/\u00f1 \u4e2d\u6587 'q' \"d\" $x");
  REQUIRE(server.run_with(json{{"command", "mkdir -p \"$D\""}, {"env", {{"D", path}}}}).at("exitCode") == 0);
  CHECK(stdout_of(server.run_with(json{{"command", "pwd"}, {"cwd", path}})) == path + "\n");
}

TEST_CASE("without cwd a command runs in the home directory, wherever the server was started", "[K45][C-18a]") {
  const TemporaryFolder home;
  Session server({.environment = {{"HOME", home.path()}}, .working_directory = "/"});
  CHECK(stdout_of(server.run("pwd")) == home.path() + "\n");
  REQUIRE(server.run("mkdir -p sub").at("exitCode") == 0);
  CHECK(stdout_of(server.run_with(json{{"command", "pwd"}, {"cwd", "~/sub"}})) == home.file("sub\n"));
  CHECK(stdout_of(server.run_with(json{{"command", "pwd"}, {"cwd", "~"}})) == home.path() + "\n");
  CHECK(stdout_of(server.run_with(json{{"command", "pwd"}, {"cwd", "sub"}})) == home.file("sub\n"));
  CHECK(stdout_of(server.run_with(json{{"command", "pwd"}, {"cwd", ""}})) == home.path() + "\n");
}

TEST_CASE("endless output is cut, timed out and costs little memory", "[K47][C-23]") {
  Session server;
  server.run("true");
  const auto before = resident_kib(server.pid());
  const auto start = Clock::now();
  const auto result = server.run_with(json{{"command", "yes"}, {"timeout", 3'000}});
  CHECK(since(start) < milliseconds(8'000));
  CHECK(result.at("timedOut") == true);
  CHECK(mentions(stdout_of(result), "[stdout truncated at 1MB]"));
  CHECK(peak_resident_kib(server.pid()) < before + 64 * 1'024 + sanitizer_kib);
}

TEST_CASE("both streams are read side by side", "[K50]") {
  Session server;
  const auto result = server.run("for i in $(seq 1 30000); do echo o$i; echo e$i >&2; done", milliseconds(60'000));
  std::string out;
  std::string err;
  for (int i = 1; i <= 30'000; ++i) {
    out += "o" + std::to_string(i) + "\n";
    err += "e" + std::to_string(i) + "\n";
  }
  CHECK(result.at("stdout") == out);
  CHECK(result.at("stderr") == err);
}

TEST_CASE("stdin is empty and not the client's", "[K51][P11][C-17]") {
  Session server;
  CHECK(stdout_of(server.run("cat; echo rc=$?")) == "rc=0\n");
  CHECK(stdout_of(server.run("read -r x; echo $?")) == "1\n");
  CHECK(server.answers_ping());
}

TEST_CASE("git never waits for a user name", "[K54][C-18]") {
  Session server;
  const auto start = Clock::now();
  const auto result =
      server.run_with(json{{"command",
                            "exec 3<>/dev/tcp/127.0.0.1/1 || true; python3 - <<'EOF'\n"
                            "import http.server, subprocess, threading\n"
                            "class Deny(http.server.BaseHTTPRequestHandler):\n"
                            "    def do_GET(self):\n"
                            "        self.send_response(401)\n"
                            "        self.send_header('WWW-Authenticate', 'Basic realm=x')\n"
                            "        self.end_headers()\n"
                            "    def log_message(self, *a): pass\n"
                            "s = http.server.HTTPServer(('127.0.0.1', 0), Deny)\n"
                            "threading.Thread(target=s.serve_forever, daemon=True).start()\n"
                            "r = subprocess.run(['git', 'ls-remote', f'http://127.0.0.1:{s.server_port}/r'])\n"
                            "print('git ended with', r.returncode)\n"
                            "EOF"},
                           {"env", {{"no_proxy", "*"}, {"http_proxy", nullptr}}}});
  CHECK(since(start) < milliseconds(10'000));
  CHECK(mentions(stdout_of(result), "git ended with 128"));
}

TEST_CASE("pagers do not wait for a key", "[K56][C-18]") {
  Session server({.environment = {{"GIT_PAGER", "less"}, {"PAGER", "less"}}});
  CHECK(stdout_of(server.run("echo $GIT_PAGER $PAGER $GIT_TERMINAL_PROMPT $GCM_INTERACTIVE $GH_PROMPT_DISABLED")) ==
        "cat cat 0 never 1\n");
  const TemporaryFolder folder;
  const auto result = server.run_with(json{{"command",
                                            "git init -q . && for i in $(seq 60); do git -c user.name=a -c "
                                            "user.email=a@b commit -q --allow-empty -m c$i; done; "
                                            "git -c core.pager=less -c pager.log=true log --format=%s | wc -l"},
                                           {"cwd", folder.path()}});
  CHECK(stdout_of(result) == "60\n");
  // A call's own env wins.
  CHECK(stdout_of(server.run_with(json{{"command", "echo $PAGER"}, {"env", {{"PAGER", "more"}}}})) == "more\n");
}

TEST_CASE("stdout carries protocol lines only, at the most verbose level", "[K58][P5][C-2]") {
  ServerProcess server({.log_level = "trace"});
  server.initialize();
  for (int i = 0; i < 5; ++i) {
    server.run("echo out; echo err >&2");
    server.execute({{"command", 7}});
    server.send_line("{bad");
    server.request("nosuch");
  }
  const int last = server.request("ping");
  for (bool found = false; !found;) {
    const auto message = server.read_message();
    CHECK(message.at("jsonrpc") == "2.0");
    found = message.contains("id") && message.at("id") == last;
  }
  CHECK_FALSE(server.standard_error().empty());
}

TEST_CASE("nothing is written before the first message", "[K61]") {
  ServerProcess server;
  CHECK(server.silent_for(milliseconds(300)));
  // It may still be starting, where SIGTERM would not be its orderly end.
  server.initialize();
}

TEST_CASE("ended commands leave no zombie", "[K62][C-23]") {
  Session server;
  for (int i = 0; i < 60; ++i) server.run("true");
  std::vector<int> ids;
  for (int i = 0; i < 10; ++i) ids.push_back(server.call({{"command", "sleep 30"}, {"timeout", 100}}));
  for (const int id : ids) CHECK(server.response(id).at("result").at("structuredContent").at("timedOut") == true);
  for (int i = 0; i < 10; ++i) {
    const int id = server.call({{"command", "sleep 30.0621"}});
    server.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}});
  }
  CHECK(gone("30.0621"));
  CHECK(wait_until([&] { return zombies_of(server.pid()).empty(); }, milliseconds(3'000)));
}

TEST_CASE("the end of stdin ends the server", "[K64][P9][C-26]") {
  Session server;
  server.close_input();
  const auto start = Clock::now();
  CHECK(server.wait_for_exit() == 0);
  CHECK(since(start) < milliseconds(1'000));
}

TEST_CASE("a command killed by a signal is reported as that", "[K69]") {
  Session server;
  const auto result = server.run("kill -9 $$");
  CHECK(result.at("exitCode") == 137);
  CHECK(result.at("signal") == "SIGKILL");
  CHECK(result.at("timedOut") == false);
  // Never guessed from an exit code.
  const auto plain = server.run("exit 137");
  CHECK(plain.at("exitCode") == 137);
  CHECK_FALSE(plain.contains("signal"));
}

TEST_CASE("SIGTERM to the server ends its commands", "[K73][P12][C-26a]") {
  Session server;
  server.call({{"command", "sleep 30.0731"}});
  REQUIRE(wait_until([] { return !processes_with("30.0731").empty(); }));
  const auto start = Clock::now();
  server.signal(SIGTERM);
  CHECK(server.wait_for_exit() == 0);
  CHECK(since(start) < milliseconds(1'000));
  CHECK(gone("30.0731", milliseconds(1'000)));
}

TEST_CASE("a slow call delays nothing else", "[K74][P8][C-22]") {
  Session server;
  const int slow = server.call({{"command", "sleep 5"}});
  const auto start = Clock::now();
  const int quick = server.call({{"command", "echo b"}});
  const int ping = server.request("ping");
  const int list = server.request("tools/list");
  CHECK(server.response(ping).contains("result"));
  CHECK(server.response(list).contains("result"));
  CHECK(server.response(quick).at("result").at("structuredContent").at("stdout") == "b\n");
  CHECK(since(start) < milliseconds(1'000));
  CHECK(server.others.empty());
  CHECK(server.response(slow).at("result").at("structuredContent").at("exitCode") == 0);
}

TEST_CASE("ids come back as they were and a live one is not taken twice", "[K77][P95][P103]") {
  Session server;
  for (const auto* id : {R"("a")", "0", "9007199254740993", "-1", R"("")", R"("0")", "18446744073709551615"}) {
    server.send_line(std::string(R"({"jsonrpc":"2.0","id":)") + id + R"(,"method":"ping"})");
    CHECK(*server.read_line() == std::string(R"({"id":)") + id + R"(,"jsonrpc":"2.0","result":{}})");
  }
  const std::string call =
      R"({"jsonrpc":"2.0","id":"twice","method":"tools/call","params":{"name":"execute_command","arguments":{"command":"sleep 0.5; echo first"}}})";
  server.send_line(call);
  server.send_line(call);
  const auto error = server.read_message();
  CHECK(error.at("id") == "twice");
  CHECK(error.at("error").at("code") == -32600);
  CHECK(server.read_message().at("result").at("structuredContent").at("stdout") == "first\n");
}

TEST_CASE("a cancelled call is ended and never answered", "[K78][P40][C-21]") {
  Session server;
  const int id = server.call({{"command", "sleep 30.0781"}});
  REQUIRE(wait_until([] { return !processes_with("30.0781").empty(); }));
  server.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}});
  CHECK(gone("30.0781"));
  CHECK(server.answers_ping());
  CHECK(server.others.empty());
  CHECK(server.silent_for(milliseconds(200)));
}

TEST_CASE("exit codes pass through", "[K81][K83][P36]") {
  Session server;
  const auto missing = server.run("nosuchcmd_zz");
  CHECK(missing.at("exitCode") == 127);
  CHECK(mentions(missing.at("stderr").get<std::string>(), "nosuchcmd_zz"));
  CHECK(server.run("/etc/passwd").at("exitCode") == 126);
  CHECK(server.run("if then").at("exitCode") == 2);
  CHECK(server.run("exit 255").at("exitCode") == 255);
  CHECK(server.run("exit 256").at("exitCode") == 0);
  const auto result = server.execute({{"command", "echo o; exit 7"}});
  CHECK(result.at("isError") == false);
  CHECK(result.at("structuredContent").at("stdout") == "o\n");
  CHECK(result.at("structuredContent").at("exitCode") == 7);
}

TEST_CASE("a message that is too long is named as that", "[K85][P7][C-28]") {
  Session server;
  server.send_bytes(
      R"({"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"execute_command","arguments":{"command":")");
  const std::string megabyte(1'048'576, 'x');
  for (int i = 0; i < 80; ++i) server.send_bytes(megabyte);
  server.send_line(R"("}}})");
  const auto answer = server.read_message();
  CHECK(answer.at("id") == "long");
  CHECK(answer.at("error").at("code") == -32600);
  CHECK(mentions(answer.at("error").at("message").get<std::string>(), "16777216"));
  CHECK(server.answers_ping());
  CHECK(peak_resident_kib(server.pid()) < 100 * 1'024 + sanitizer_kib);
}

TEST_CASE("a long command runs", "[K86][C-15]") {
  Session server;
  for (const std::size_t size : {20'000U, 131'000U, 131'071U, 131'072U, 140'000U, 2'000'000U}) {
    const std::string text(size, 'y');
    const auto result = server.run("x='" + text + "'; echo ${#x}");
    CHECK(stdout_of(result) == std::to_string(size) + "\n");
  }
}

TEST_CASE("here-documents arrive to the letter", "[K87][K91][K92]") {
  Session server;
  const TemporaryFolder folder;
  const auto file = folder.file("f");
  CHECK(stdout_of(server.run("cat > " + file + " <<'EOF'\nline one\n\tTab $X `y` \"q\"\nEOF\necho after; cat " +
                             file)) == "after\nline one\n\tTab $X `y` \"q\"\n");
  CHECK(stdout_of(server.run("python3 - <<'EOF'\nprint('first')\nEOF\necho second")) == "first\nsecond\n");
  CHECK(stdout_of(server.run("echo \"$(cat <<'EOF'\na `b` $c\nEOF\n)\"")) == "a `b` $c\n");
}

TEST_CASE("no state is carried to the next call", "[K93][C-16]") {
  Session server;
  const auto home = stdout_of(server.run("pwd"));
  CHECK(server.run("cd /; export Z=1; set -e; alias ls=false; exit 7").at("exitCode") == 7);
  const auto result = server.run("pwd; echo ${Z-unset}; false; echo still");
  CHECK(stdout_of(result) == home + "unset\nstill\n");
  CHECK(result.at("exitCode") == 0);
}

TEST_CASE("text is kept without any locale", "[K95]") {
  Session server({.environment = {{"LANG", std::nullopt}, {"LC_ALL", std::nullopt}, {"LC_CTYPE", std::nullopt}}});
  const TemporaryFolder folder;
  const auto result =
      server.run_with(json{{"command", "echo 'ABC\u4f60\u597dDEF'; touch \u00e9; ls"}, {"cwd", folder.path()}});
  CHECK(std::ifstream(folder.file("\u00e9")).good());
  CHECK(mentions(stdout_of(result), "ABC\u4f60\u597dDEF\n"));
}

TEST_CASE("a variable of the call reaches the command", "[K97]") {
  Session server;
  CHECK(stdout_of(server.run_with(json{{"command", "date -d @0 +%H%Z"}, {"env", {{"TZ", "Asia/Tokyo"}}}})) ==
        "09JST\n");
}

TEST_CASE("colour codes are not touched", "[K98]") {
  Session server({.environment = {{"TERM", "xterm"}}});
  CHECK(stdout_of(server.run(R"(echo $TERM; printf '\033[31mred\033[0m')")) == "xterm\n\x1b[31mred\x1b[0m");
}

TEST_CASE("progress is told at least every 15 s while a command runs", "[K102][P44][P45][P46][C-24]") {
  Session server;
  const int id = server.call({{"command", "head -c 14000 /dev/zero; sleep 11"}}, {{"progressToken", "tok"}});
  const auto start = Clock::now();
  const auto first = server.read_message();
  CHECK(since(start) > milliseconds(4'800));
  CHECK(since(start) < milliseconds(6'000));
  CHECK(first ==
        json{{"jsonrpc", "2.0"},
             {"method", "notifications/progress"},
             {"params", {{"progressToken", "tok"}, {"progress", 5}, {"message", "running for 5 s, 14 kB of output"}}}});
  const auto second = server.read_message();
  CHECK(second.at("params").at("progress") == 10);
  CHECK(server.read_message().at("id") == id);
  CHECK(server.silent_for(milliseconds(300)));
}

TEST_CASE("numbers may come as text", "[K103][C-6]") {
  Session server;
  CHECK(stdout_of(server.run_with(json{{"command", "echo n"}, {"timeout", "5000"}})) == "n\n");
  CHECK(stdout_of(server.run_with(json{{"command", "echo n"}, {"timeout", 5000.0}})) == "n\n");
  CHECK(mentions(refusal(server.execute({{"command", "echo n"}, {"timeout", " 5000 "}})), "timeout"));
}

TEST_CASE("null stands for an argument that is not given", "[K106][C-5]") {
  Session server;
  CHECK(stdout_of(server.run_with(
            json{{"command", "echo n"}, {"cwd", nullptr}, {"timeout", nullptr}, {"env", nullptr}})) == "n\n");
}

TEST_CASE("unknown arguments are refused and nothing runs", "[K108][C-4][P32]") {
  Session server;
  const TemporaryFolder folder;
  const auto text =
      refusal(server.execute({{"command", "touch " + folder.file("ran")}, {"description", "say n"}, {"cwdd", "/"}}));
  CHECK(mentions(text, "description"));
  CHECK(mentions(text, "cwdd"));
  CHECK_FALSE(std::ifstream(folder.file("ran")).good());
}

TEST_CASE("messages do not depend on how their bytes arrive", "[K110]") {
  Session server;
  const std::string ping = R"({"jsonrpc":"2.0","id":"é","method":"ping"})";
  for (const char byte : ping + "\n") server.send_bytes({&byte, 1});
  CHECK(server.read_message().at("id") == "é");
  server.send_bytes(ping + "\n" + ping + "\n" + ping + "\n");
  for (int i = 0; i < 3; ++i) CHECK(server.read_message().contains("result"));
}

TEST_CASE("malformed messages get the code of their fault", "[K113]") {
  Session server;
  const std::pair<const char*, int> faults[] = {{"{bad", -32700},
                                                {R"({"id":1})", -32600},
                                                {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", -32600},
                                                {R"({"jsonrpc":"2.0","id":1,"method":"nosuch"})", -32601},
                                                {"[]", -32600}};
  for (const auto& [line, code] : faults) {
    server.send_line(line);
    CHECK(server.read_message().at("error").at("code") == code);
  }
  server.send_line(R"({"jsonrpc":"2.0","method":"nosuch"})");
  CHECK(server.answers_ping());
}

TEST_CASE("initialize answers every version with one that is supported", "[K114][P13][P14][P15]") {
  ServerProcess server;
  for (const auto* known : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    CHECK(server.initialize(known).at("protocolVersion") == known);
  for (const auto* unknown : {"2099-01-01", "2026-07-28", "2024-10-07"})
    CHECK(server.initialize(unknown).at("protocolVersion") == "2025-11-25");
  const int id = server.request("initialize", {{"capabilities", json::object()}});
  CHECK(server.response(id).at("error").at("code") == -32602);
  CHECK(server.answers_ping());
}

TEST_CASE("a client that does not read is not a deadlock", "[K117][C-27]") {
  Session server;
  std::vector<int> results;
  for (int i = 0; i < 3; ++i) results.push_back(server.call({{"command", R"(head -c 1048576 /dev/zero | tr '\0' a)"}}));
  const int cancelled = server.call({{"command", "sleep 30.1171"}});
  REQUIRE(wait_until([] { return !processes_with("30.1171").empty(); }));
  server.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", cancelled}}}});
  std::vector<int> pings;
  for (int i = 0; i < 200; ++i) pings.push_back(server.request("ping"));
  CHECK(gone("30.1171"));
  for (const int id : results)
    CHECK(server.response(id).at("result").at("structuredContent").at("stdout").get<std::string>().size() == 1'048'576);
  for (const int id : pings) CHECK(server.response(id).contains("result"));
}

TEST_CASE("both forms of the result hold everything", "[K118][P33][P34]") {
  Session server;
  const auto result =
      server.execute({{"command", "printf 'o\\001'; echo e >&2; head -c 1100000 /dev/zero; exit 3"}, {"timeout", 3e9}});
  CHECK(json::parse(result.at("content").at(0).at("text").get<std::string>()) == result.at("structuredContent"));
  CHECK(result.at("structuredContent").at("notes").size() == 2);
}
