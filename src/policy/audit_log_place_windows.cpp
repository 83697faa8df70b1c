#include <cowork_terminal/policy/audit_log.hpp>

#include "policy/audit_log_place.hpp"

namespace cowork_terminal::policy {

std::string default_audit_log(const process::Environment& environment, const std::string& home) {
  return audit_log_on_windows(environment, home);
}

}  // namespace cowork_terminal::policy
