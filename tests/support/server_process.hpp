#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/sanitizer.hpp"

namespace cowork_terminal::testing {

using nlohmann::json;
using std::chrono::milliseconds;

// The product binary, and where the sources are.
const char* program_path();
const char* source_folder();

// How the server is started; every member has the usual value.
struct ServerStart {
  std::string program{};                 // default: the product binary
  std::vector<std::string> arguments{};  // after the program's name
  // Over the environment of the test; a missing value removes the variable.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment{};
  std::string working_directory{};
  bool socket_pair = false;          // as Node gives its children, instead of pipes
  std::function<void()> in_child{};  // runs in the child before the exec: limits, closed descriptors
  bool audit_log = false;            // else --no-audit-log, so that tests leave nothing in the user's log
  std::string log_level = "warn";    // empty: no --log-level option
};

// The real server and a client that speaks lines to it. All waiting has a deadline; one that passes throws. The
// destructor ends a server whose end was not waited for by SIGTERM and checks that it leaves with 0: under a sanitizer
// it does not when it leaked.
class ServerProcess {
 public:
  explicit ServerProcess(ServerStart start = {});
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  void send_bytes(std::string_view bytes);
  void send_line(std::string_view line);
  void send(const json& message) { send_line(message.dump()); }
  // Sends a request with a fresh integer id and returns that id.
  int request(std::string_view method, json params = nullptr);
  int call(json arguments, json meta = nullptr);

  // The next line of output, without its newline; none at the end of the output.
  std::optional<std::string> read_line(milliseconds patience = milliseconds(20'000));
  json read_message(milliseconds patience = milliseconds(20'000));
  // The answer with this id; whatever else comes before it is kept in `others`.
  json response(const json& id, milliseconds patience = milliseconds(20'000));
  // Whether nothing at all comes for this long.
  bool silent_for(milliseconds time);

  // Handshake of a legacy revision; returns the result.
  json initialize(std::string_view revision = "2025-11-25");
  // Runs a command and returns the result of tools/call.
  json execute(json arguments, milliseconds patience = milliseconds(20'000));
  // …and the structuredContent of it; throws if it is an error.
  json run(std::string_view command, milliseconds patience = milliseconds(20'000));
  json run_with(json arguments, milliseconds patience = milliseconds(20'000));
  bool answers_ping();

  void close_input();
  void close_output();
  void signal(int number);
  // Exit code, or 128 + signal; throws if it does not end in time.
  int wait_for_exit(milliseconds patience = milliseconds(10'000));
  bool has_exited();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int input_descriptor() const { return input_; }
  [[nodiscard]] int output_descriptor() const { return output_; }
  // What it wrote to stderr so far.
  std::string standard_error();

  std::vector<json> others;  // messages that response() passed over

 private:
  void check_end();

  pid_t pid_ = -1;
  int input_ = -1;   // we write
  int output_ = -1;  // we read
  int error_ = -1;   // a file
  int next_id_ = 1;
  std::string received_;
  std::optional<int> exit_code_;
};

// The _meta of a modern request; `capabilities` as the client declares them.
json modern_meta(json capabilities = json::object());

// Waits until `condition` holds; false if it does not within `patience`.
bool wait_until(const std::function<bool()>& condition, milliseconds patience = milliseconds(10'000));

// A fresh folder, removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

// Processes (not zombies) with `token` in their command line, this one aside.
std::vector<pid_t> processes_with(std::string_view token);
// Children of `parent` in state Z.
std::vector<pid_t> zombies_of(pid_t parent);
std::size_t open_descriptors(pid_t process);
// VmRSS / VmHWM in KiB. A bound on either is to be widened by sanitizer_kib.
std::size_t resident_kib(pid_t process);
std::size_t peak_resident_kib(pid_t process);
std::string read_file(const std::string& path);

}  // namespace cowork_terminal::testing
