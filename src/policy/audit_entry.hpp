#pragma once

#include <chrono>
#include <cowork_terminal/policy/audit_log.hpp>
#include <cowork_terminal/process/command.hpp>
#include <cstdint>
#include <string>

namespace cowork_terminal::policy {

struct AuditEntry {
  std::string id;
  std::int64_t server_pid;
  std::chrono::system_clock::time_point time;
};

// Lines of the log with their newline: JSON objects, valid UTF-8 (invalid bytes become U+FFFD), bounded in size. Never
// a value of an environment variable.
std::string start_line(const AuditEntry& entry, const process::Command& command);
std::string end_line(const AuditEntry& entry, const process::CommandOutcome& outcome, AuditLog::Bytes written);
std::string job_line(const AuditEntry& entry);
std::string refusal_line(const AuditEntry& entry, const std::string& command, const std::string& reason);

}  // namespace cowork_terminal::policy
