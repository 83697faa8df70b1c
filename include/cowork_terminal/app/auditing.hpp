#pragma once

#include <cowork_terminal/app/options.hpp>
#include <cowork_terminal/policy/audit_log.hpp>
#include <cowork_terminal/tools/execute_command.hpp>
#include <optional>

namespace cowork_terminal::app {

// The log that the options ask for; none with --no-audit-log.
std::optional<policy::AuditLog> audit_log(const ServeOptions& options);

// What the tool has to say to the log, which outlives the result.
tools::CommandRecorder command_recorder(std::optional<policy::AuditLog>& log);

}  // namespace cowork_terminal::app
