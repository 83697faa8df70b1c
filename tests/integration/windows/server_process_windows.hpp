#pragma once

#include <windows.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "process/unique_handle_windows.hpp"

namespace cowork_terminal::testing {

using nlohmann::json;
using std::chrono::milliseconds;

// Everything that one of our pipes brought so far, read by a thread of its own.
class CollectedOutput {
 public:
  explicit CollectedOutput(process::UniqueHandle read_end);
  ~CollectedOutput();

  // The next line with its line end; none at the end of the pipe. Throws after `patience`.
  std::optional<std::string> next_line(milliseconds patience);
  // All of it, once the pipe is closed.
  std::string whole();

 private:
  void collect();

  process::UniqueHandle read_end_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string bytes_;
  std::size_t taken_ = 0;
  bool ended_ = false;
  std::thread thread_;
};

struct ProgramStart {
  std::string program;
  std::vector<std::string> arguments{};
  // Over the environment of the test; a missing value removes the variable.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment{};
};

// A program with three pipes; killed by the destructor if it still runs.
class PipedProgram {
 public:
  explicit PipedProgram(const ProgramStart& start);
  ~PipedProgram();

  void write(std::string_view bytes);
  void close_input() { input_.reset(); }
  void kill();
  // Throws after `patience`.
  DWORD wait_for_exit(milliseconds patience = milliseconds{10'000});
  [[nodiscard]] CollectedOutput& output() { return *output_; }
  [[nodiscard]] CollectedOutput& error() { return *error_; }

 private:
  process::UniqueHandle process_;
  process::UniqueHandle input_;
  std::optional<CollectedOutput> output_;
  std::optional<CollectedOutput> error_;
};

// The server in a session of a client.
class Server {
 public:
  // With --bash and the stand-in, unless `arguments` are given.
  explicit Server(std::vector<std::string> arguments = {},
                  std::vector<std::pair<std::string, std::optional<std::string>>> environment = {});

  int request(const std::string& method, json params);
  int call(json arguments);
  void cancel(int id);
  // The answer with this id; others that come first are kept for later.
  json response(int id, milliseconds patience = milliseconds{20'000});
  json execute(json arguments) { return response(call(std::move(arguments))).at("result"); }
  json run_with(json arguments);
  json run(const std::string& script) { return run_with({{"command", script}}); }
  [[nodiscard]] PipedProgram& program() { return program_; }

  std::vector<std::string> raw_lines;

 private:
  PipedProgram program_;
  int last_id_ = 0;
  std::vector<json> kept_;
};

bool wait_until(const std::function<bool()>& condition, milliseconds patience = milliseconds{10'000});
bool is_alive(DWORD pid);
// The numbers of the lines "pid N".
std::vector<DWORD> pids_in(const std::string& output);
bool file_exists(const std::string& path);
// In the folder for temporary files; nothing is there yet.
std::string unused_path(const std::string& name);

}  // namespace cowork_terminal::testing
