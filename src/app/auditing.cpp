#include <cowork_terminal/app/auditing.hpp>
#include <cowork_terminal/app/logging.hpp>
#include <cowork_terminal/shell/home_directory.hpp>
#include <filesystem>

namespace cowork_terminal::app {

std::optional<policy::AuditLog> audit_log(const ServeOptions& options) {
  if (options.no_audit_log) return std::nullopt;
  const auto warn = [](std::string_view line) { log(LogLevel::warn, line); };
  if (!options.audit_log.empty()) {
    const auto utf8 = std::filesystem::absolute(std::filesystem::u8path(options.audit_log)).u8string();
    return policy::AuditLog({utf8.begin(), utf8.end()}, policy::WithoutLog::refuse_commands, warn);
  }
  const auto environment = process::Environment::current();
  return policy::AuditLog(policy::default_audit_log(environment, shell::home_directory(environment).path),
                          policy::WithoutLog::run_commands, warn);
}

tools::CommandRecorder command_recorder(std::optional<policy::AuditLog>& log) {
  if (!log) return {};
  return {[&log](const std::string& command, const std::string& reason) { log->refused(command, reason); },
          [&log](const std::string& id) { log->became_job(id); }};
}

}  // namespace cowork_terminal::app
