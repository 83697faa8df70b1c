#pragma once

#include <cowork_terminal/process/command.hpp>
#include <cowork_terminal/process/environment.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cowork_terminal::policy {

// What becomes of commands while the log cannot be written.
enum class WithoutLog {
  run_commands,     // the log nobody asked for: said once, and that is all
  refuse_commands,  // the log of --audit-log
};

// The record of all commands, as JSON Lines in a file that several servers share: each line is whole and none is lost.
// Readable by this user alone. Rotates at 10 MB to FILE.1 … FILE.3.
//
// Lines are written at once, on the thread of the caller: one append to a local file, some tens of µs. Another server
// that keeps the lock is waited for, 1 s at the most. Nothing is opened before the first line (contract C-25), and
// nothing is kept open between two.
class AuditLog {
 public:
  // Gets a line for the person, once, if the log cannot be written.
  using Report = std::function<void(std::string_view line)>;

  // `file` is absolute.
  AuditLog(std::string file, WithoutLog without_log, Report report);

  // Before the launch. Nothing: the command may run. Else why it must not, for the model.
  [[nodiscard]] std::optional<std::string> started(const std::string& id, const process::Command& command);
  struct Bytes {
    std::uint64_t standard_output = 0;
    std::uint64_t standard_error = 0;
  };
  void ended(const std::string& id, const process::CommandOutcome& outcome, Bytes written);
  // The command that was started with this id outlives its call.
  void became_job(const std::string& id);
  // A call that never became a command; `text` is the command as far as it is known.
  void refused(const std::string& text, const std::string& reason);

  // Unique among all servers that write to the log.
  [[nodiscard]] std::string new_id();
  [[nodiscard]] const std::string& file() const { return file_; }
  // Why the log cannot be written, or nothing. Makes the file if it is not there.
  [[nodiscard]] std::optional<std::string> problem() const;

 private:
  // Whether the line is in the file.
  bool write(std::string line);

  std::string file_;
  WithoutLog without_log_;
  Report report_;
  std::string last_problem_;
  bool reported_ = false;
  std::string id_prefix_;
  std::uint64_t ids_ = 0;
};

// Where the log is without --audit-log: $XDG_STATE_HOME or ~/.local/state on Linux, ~/Library/Logs on macOS,
// %LOCALAPPDATA% on Windows, and there cowork-terminal-mcp/commands.jsonl. `home` is absolute.
std::string default_audit_log(const process::Environment& environment, const std::string& home);

}  // namespace cowork_terminal::policy
