#include "integration/windows/server_process_windows.hpp"

#include <cowork_terminal/process/environment.hpp>
#include <cowork_terminal/process/windows_text.hpp>
#include <sstream>
#include <stdexcept>

#include "process/environment_block_windows.hpp"
#include "process/windows_command_line.hpp"

namespace cowork_terminal::testing {

using process::to_utf16;
using process::to_utf8;
using process::UniqueHandle;

namespace {

struct Pipe {
  UniqueHandle read_end;
  UniqueHandle write_end;
};

Pipe make_pipe() {
  SECURITY_ATTRIBUTES inheritable{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  HANDLE read_end = nullptr;
  HANDLE write_end = nullptr;
  if (::CreatePipe(&read_end, &write_end, &inheritable, 0) == 0) throw std::runtime_error("no pipe");
  return {UniqueHandle{read_end}, UniqueHandle{write_end}};
}

void keep_private(const UniqueHandle& handle) { ::SetHandleInformation(handle.get(), HANDLE_FLAG_INHERIT, 0); }

}  // namespace

CollectedOutput::CollectedOutput(UniqueHandle read_end)
    : read_end_(std::move(read_end)), thread_([this] { collect(); }) {}

CollectedOutput::~CollectedOutput() { thread_.join(); }

void CollectedOutput::collect() {
  char buffer[65'536];
  DWORD size = 0;
  while (::ReadFile(read_end_.get(), buffer, sizeof buffer, &size, nullptr) != 0) {
    const std::lock_guard lock{mutex_};
    bytes_.append(buffer, size);
    changed_.notify_all();
  }
  const std::lock_guard lock{mutex_};
  ended_ = true;
  changed_.notify_all();
}

std::optional<std::string> CollectedOutput::next_line(milliseconds patience) {
  std::unique_lock lock{mutex_};
  const auto line_end = [this] { return bytes_.find('\n', taken_); };
  if (!changed_.wait_for(lock, patience, [&] { return ended_ || line_end() != std::string::npos; })) {
    throw std::runtime_error("no line came in time");
  }
  const auto end = line_end();
  if (end == std::string::npos) return std::nullopt;
  std::string line = bytes_.substr(taken_, end + 1 - taken_);
  taken_ = end + 1;
  return line;
}

std::string CollectedOutput::whole() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return ended_; });
  return bytes_;
}

PipedProgram::PipedProgram(const ProgramStart& start) {
  auto environment = process::Environment::current();
  for (const auto& [name, value] : start.environment) {
    if (value) {
      environment.set(name, *value);
    } else {
      environment.remove(name);
    }
  }
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe error = make_pipe();
  keep_private(input.write_end);
  keep_private(output.read_end);
  keep_private(error.read_end);

  std::vector<std::string> argv{start.program};
  argv.insert(argv.end(), start.arguments.begin(), start.arguments.end());
  std::wstring line = to_utf16(process::windows_command_line(argv));
  std::wstring block = process::environment_block(environment);
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  startup.dwFlags = STARTF_USESTDHANDLES;
  startup.hStdInput = input.read_end.get();
  startup.hStdOutput = output.write_end.get();
  startup.hStdError = error.write_end.get();
  PROCESS_INFORMATION started{};
  if (::CreateProcessW(to_utf16(start.program).c_str(), line.data(), nullptr, nullptr, TRUE, CREATE_UNICODE_ENVIRONMENT,
                       block.data(), nullptr, &startup, &started) == 0) {
    throw std::runtime_error(start.program + ": " + process::describe_windows_error(::GetLastError()));
  }
  ::CloseHandle(started.hThread);
  process_ = UniqueHandle{started.hProcess};
  input_ = std::move(input.write_end);
  input.read_end.reset();
  output.write_end.reset();
  error.write_end.reset();
  output_.emplace(std::move(output.read_end));
  error_.emplace(std::move(error.read_end));
}

PipedProgram::~PipedProgram() { kill(); }

void PipedProgram::write(std::string_view bytes) {
  while (!bytes.empty()) {
    DWORD written = 0;
    if (::WriteFile(input_.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr) == 0) {
      throw std::runtime_error("the program does not read");
    }
    bytes.remove_prefix(written);
  }
}

void PipedProgram::kill() {
  ::TerminateProcess(process_.get(), 1);
  ::WaitForSingleObject(process_.get(), 10'000);
}

DWORD PipedProgram::wait_for_exit(milliseconds patience) {
  if (::WaitForSingleObject(process_.get(), static_cast<DWORD>(patience.count())) != WAIT_OBJECT_0) {
    throw std::runtime_error("the program did not end in time");
  }
  DWORD code = 0;
  ::GetExitCodeProcess(process_.get(), &code);
  return code;
}

Server::Server(std::vector<std::string> arguments,
               std::vector<std::pair<std::string, std::optional<std::string>>> environment)
    : program_({PROGRAM, arguments.empty() ? std::vector<std::string>{"--bash", STAND_IN_BASH} : std::move(arguments),
                std::move(environment)}) {
  response(request("initialize", {{"protocolVersion", "2025-11-25"},
                                  {"capabilities", json::object()},
                                  {"clientInfo", {{"name", "test"}, {"version", "1"}}}}));
  program_.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
}

int Server::request(const std::string& method, json params) {
  const json message{{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}};
  program_.write(message.dump() + "\n");
  return last_id_;
}

int Server::call(json arguments) {
  return request("tools/call", {{"name", "execute_command"}, {"arguments", std::move(arguments)}});
}

void Server::cancel(int id) {
  const json message{{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}};
  program_.write(message.dump() + "\n");
}

json Server::response(int id, milliseconds patience) {
  const auto is_it = [id](const json& message) { return message.value("id", json{}) == json(id); };
  for (auto message = kept_.begin(); message != kept_.end(); ++message) {
    if (!is_it(*message)) continue;
    const json found = *message;
    kept_.erase(message);
    return found;
  }
  while (true) {
    const auto line = program_.output().next_line(patience);
    if (!line) throw std::runtime_error("the server closed its output");
    raw_lines.push_back(*line);
    json message = json::parse(*line);
    if (is_it(message)) return message;
    kept_.push_back(std::move(message));
  }
}

json Server::run_with(json arguments) {
  const json result = execute(std::move(arguments));
  if (result.value("isError", false)) throw std::runtime_error("refused: " + result.dump());
  return result.at("structuredContent");
}

bool wait_until(const std::function<bool()>& condition, milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(milliseconds{10});
  }
  return true;
}

bool is_alive(DWORD pid) {
  const UniqueHandle process{::OpenProcess(SYNCHRONIZE, FALSE, pid)};
  return process && ::WaitForSingleObject(process.get(), 0) == WAIT_TIMEOUT;
}

std::vector<DWORD> pids_in(const std::string& output) {
  std::vector<DWORD> pids;
  std::istringstream lines{output};
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("pid ", 0) == 0) pids.push_back(static_cast<DWORD>(std::stoul(line.substr(4))));
  }
  return pids;
}

bool file_exists(const std::string& path) {
  return ::GetFileAttributesW(to_utf16(path).c_str()) != INVALID_FILE_ATTRIBUTES;
}

std::string unused_path(const std::string& name) {
  static int counter = 0;
  wchar_t folder[MAX_PATH + 2];
  const std::wstring_view parent{folder, ::GetTempPathW(MAX_PATH + 2, folder)};
  return to_utf8(parent) + name + "-" + std::to_string(::GetCurrentProcessId()) + "-" + std::to_string(++counter);
}

}  // namespace cowork_terminal::testing
