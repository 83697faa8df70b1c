#include <array>
#include <chrono>
#include <cowork_terminal/policy/audit_log.hpp>
#include <cstdio>
#include <random>
#include <utility>

#include "policy/audit_entry.hpp"
#include "policy/log_file.hpp"

namespace cowork_terminal::policy {

namespace {

AuditEntry entry_now(std::string id) { return {std::move(id), own_process_id(), std::chrono::system_clock::now()}; }

std::string random_prefix() {
  std::random_device random;
  std::array<char, 16> text{};
  const int size = std::snprintf(text.data(), text.size(), "%08x-", random());
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

AuditLog::AuditLog(std::string file, WithoutLog without_log, Report report)
    : file_(std::move(file)), without_log_(without_log), report_(std::move(report)) {}

std::string AuditLog::new_id() {
  if (id_prefix_.empty()) id_prefix_ = random_prefix();
  return id_prefix_ + std::to_string(++ids_);
}

std::optional<std::string> AuditLog::started(const std::string& id, const process::Command& command) {
  if (write(start_line(entry_now(id), command)) || without_log_ == WithoutLog::run_commands) return std::nullopt;
  return "The log of commands cannot be written (" + last_problem_ +
         "), and by the option --audit-log nothing may run without it. Nothing was run. The user can make " + file_ +
         " writable, or start the server with another --audit-log or with --no-audit-log.";
}

void AuditLog::ended(const std::string& id, const process::CommandOutcome& outcome, Bytes written) {
  write(end_line(entry_now(id), outcome, written));
}

void AuditLog::refused(const std::string& text, const std::string& reason) {
  write(refusal_line(entry_now(new_id()), text, reason));
}

void AuditLog::became_job(const std::string& id) { write(job_line(entry_now(id))); }

std::optional<std::string> AuditLog::problem() const { return append_to_log(file_, {}); }

bool AuditLog::write(std::string line) {
  auto problem = append_to_log(file_, line);
  if (!problem) return true;
  last_problem_ = std::move(*problem);
  if (std::exchange(reported_, true)) return false;
  const char* consequence =
      without_log_ == WithoutLog::run_commands
          ? "Commands run all the same; --audit-log FILE names another place, --no-audit-log none."
          : "No command is run until it can.";
  report_("The log of commands cannot be written: " + last_problem_ + ". " + consequence);
  return false;
}

}  // namespace cowork_terminal::policy
