#include "support/server_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "support/catch.hpp"
#include "support/pointers_to.hpp"

namespace cowork_terminal::testing {

namespace {

using Clock = std::chrono::steady_clock;

struct Pair {
  int read;
  int write;
};

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

Pair make_pair_of_ends(bool socket) {
  std::array<int, 2> ends{};
  const int result =
      socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) : pipe2(ends.data(), O_CLOEXEC);
  if (result != 0) fail("no pipe");
  return {ends[0], ends[1]};
}

std::vector<std::string> environment_of(const ServerStart& start) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const auto name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& [changed, value] : start.environment) replaced = replaced || changed == name;
    if (!replaced) variables.emplace_back(text);
  }
  for (const auto& [name, value] : start.environment) {
    if (value) variables.push_back(name + "=" + *value);
  }
  return variables;
}

int anonymous_file() {
  std::string name = "/tmp/cowork-terminal-stderr-XXXXXX";
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) fail("no temporary file");
  unlink(name.c_str());
  return descriptor;
}

}  // namespace

ServerProcess::ServerProcess(ServerStart start) {
  if (start.program.empty()) start.program = program_path();
  const auto to_server = make_pair_of_ends(start.socket_pair);
  const auto from_server = make_pair_of_ends(start.socket_pair);
  error_ = anonymous_file();

  std::vector<std::string> words{start.program};
  if (!start.log_level.empty()) words.insert(words.end(), {"--log-level", start.log_level});
  if (!start.audit_log) words.emplace_back("--no-audit-log");
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  auto variables = environment_of(start);
  const auto argv = pointers_to(words);
  const auto envp = pointers_to(variables);

  pid_ = fork();
  if (pid_ < 0) fail("no process");
  if (pid_ == 0) {
    dup2(to_server.read, 0);
    dup2(from_server.write, 1);
    dup2(error_, 2);
    if (!start.working_directory.empty() && chdir(start.working_directory.c_str()) != 0) _exit(126);
    if (start.in_child) start.in_child();
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(to_server.read);
  close(from_server.write);
  input_ = to_server.write;
  output_ = from_server.read;
}

ServerProcess::~ServerProcess() {
  if (!exit_code_) check_end();
  close_input();
  close_output();
  close(error_);
}

void ServerProcess::check_end() {
  signal(SIGTERM);
  if (!wait_until([this] { return has_exited(); }, milliseconds(20'000))) {
    signal(SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  INFO("the server's stderr: " << standard_error());
  CHECK(exit_code_ == 0);
}

void ServerProcess::send_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    const auto count = written < 0 && errno == ENOTSOCK ? write(input_, bytes.data(), bytes.size()) : written;
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("the server does not read any more");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void ServerProcess::send_line(std::string_view line) { send_bytes(std::string(line) + "\n"); }

int ServerProcess::request(std::string_view method, json params) {
  const int id = next_id_++;
  json message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  send(message);
  return id;
}

int ServerProcess::call(json arguments, json meta) {
  json params{{"name", "execute_command"}, {"arguments", std::move(arguments)}};
  if (!meta.is_null()) params["_meta"] = std::move(meta);
  return request("tools/call", std::move(params));
}

std::optional<std::string> ServerProcess::read_line(milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  while (true) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      auto line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
    pollfd descriptor{output_, POLLIN, 0};
    if (left.count() <= 0 || poll(&descriptor, 1, static_cast<int>(left.count())) == 0) fail("no line came in time");
    static thread_local std::array<char, 1 << 18> buffer;
    const auto count = read(output_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      if (!received_.empty()) fail("the output ended within a line");
      return std::nullopt;
    }
    received_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

json ServerProcess::read_message(milliseconds patience) {
  const auto line = read_line(patience);
  if (!line) fail("the output ended");
  return json::parse(*line);
}

json ServerProcess::response(const json& id, milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  for (auto kept = others.begin(); kept != others.end(); ++kept) {
    if (kept->is_object() && kept->contains("id") && !kept->contains("method") && kept->at("id") == id) {
      auto found = *kept;
      others.erase(kept);
      return found;
    }
  }
  while (true) {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
    auto message = read_message(std::max(left, milliseconds(1)));
    if (message.is_object() && message.contains("id") && !message.contains("method") && message.at("id") == id)
      return message;
    others.push_back(std::move(message));
  }
}

bool ServerProcess::silent_for(milliseconds time) {
  if (!received_.empty()) return false;
  pollfd descriptor{output_, POLLIN, 0};
  return poll(&descriptor, 1, static_cast<int>(time.count())) == 0;
}

json ServerProcess::initialize(std::string_view revision) {
  const int id = request("initialize", {{"protocolVersion", revision},
                                        {"capabilities", json::object()},
                                        {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
  auto answer = response(id);
  send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  return answer.at("result");
}

json ServerProcess::execute(json arguments, milliseconds patience) {
  const int id = call(std::move(arguments));
  return response(id, patience).at("result");
}

json ServerProcess::run(std::string_view command, milliseconds patience) {
  return run_with({{"command", command}}, patience);
}

json ServerProcess::run_with(json arguments, milliseconds patience) {
  auto result = execute(std::move(arguments), patience);
  if (result.value("isError", false)) fail("refused: " + result.dump());
  return result.at("structuredContent");
}

bool ServerProcess::answers_ping() {
  const int id = request("ping");
  return response(id).contains("result");
}

void ServerProcess::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

void ServerProcess::close_output() {
  if (output_ >= 0) close(output_);
  output_ = -1;
}

void ServerProcess::signal(int number) { kill(pid_, number); }

bool ServerProcess::has_exited() {
  int status = 0;
  if (!exit_code_ && waitpid(pid_, &status, WNOHANG) == pid_)
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_.has_value();
}

int ServerProcess::wait_for_exit(milliseconds patience) {
  if (!wait_until([this] { return has_exited(); }, patience)) fail("the server did not end in time");
  return *exit_code_;
}

std::string ServerProcess::standard_error() {
  std::string text;
  std::array<char, 4096> buffer{};
  ssize_t count = 0;
  while ((count = pread(error_, buffer.data(), buffer.size(), static_cast<off_t>(text.size()))) > 0)
    text.append(buffer.data(), static_cast<std::size_t>(count));
  return text;
}

json modern_meta(json capabilities) {
  return {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
          {"io.modelcontextprotocol/clientCapabilities", std::move(capabilities)}};
}

bool wait_until(const std::function<bool()>& condition, milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  while (!condition()) {
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

}  // namespace cowork_terminal::testing
