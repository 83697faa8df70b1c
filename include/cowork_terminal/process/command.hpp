#pragma once

#include <chrono>
#include <cowork_terminal/process/environment.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cowork_terminal::process {

class OutputFolder;

// What a log of commands says about one; runners that keep no log pass over it.
struct CommandRecord {
  std::string text;                    // the command as it was given
  std::vector<std::string> env_names;  // of the variables given with it, never their values
  std::string id;                      // of the call; empty: the log makes one
};

// What to run: plain values, no shell implied. All strings are UTF-8 (POSIX: bytes) without NUL.
struct Command {
  std::vector<std::string> argv;  // argv[0] is an absolute path
  // Given to the program as a private file whose path becomes the last element of argv; gone when the command is.
  std::optional<std::string> script;
  std::string working_directory;  // absolute
  Environment environment;        // all of it; nothing is inherited
  std::chrono::milliseconds timeout{30'000};
  std::size_t output_limit = 1'048'576;  // bytes of repaired text kept per stream (contract C-11)
  std::optional<CommandRecord> record;
  // Keeps all that a stream writes in a file once it passes output_limit; outlives the command. Null: nothing is kept.
  OutputFolder* whole_output = nullptr;
};

// What a stream wrote: its longest prefix of whole characters that fits the limit, as valid UTF-8.
struct CapturedOutput {
  std::string text;
  bool truncated = false;         // something was left out of `text`
  std::uint64_t total_bytes = 0;  // written by the command, repaired or not, kept or not
  std::string whole_file = {};    // if it was truncated and Command::whole_output is set: where all of it is
};

struct Exited {
  int code;  // 0-255
};
struct Signaled {
  int signal;
};
// Our timer ended it.
struct TimedOut {};
// RunningCommand::cancel() ended it.
struct Cancelled {};
// Nothing ran, or nothing that we know of. `reason` says what to change, for the model.
struct FailedToStart {
  std::string reason;
};

using Ending = std::variant<Exited, Signaled, TimedOut, Cancelled, FailedToStart>;

struct CommandOutcome {
  Ending ending;
  CapturedOutput standard_output;
  CapturedOutput standard_error;
  std::chrono::milliseconds duration{0};  // from the launch
  std::vector<std::string> notes;         // short sentences for the model, e.g. of a process that could not be ended
};

// "SIGKILL" for 9; "signal N" for a number this system has no name for.
std::string signal_name(int signal);

}  // namespace cowork_terminal::process
