#include <cowork_terminal/policy/audit_log.hpp>

#include "policy/audit_log_place.hpp"

namespace cowork_terminal::policy {

std::string default_audit_log([[maybe_unused]] const process::Environment& environment, const std::string& home) {
#ifdef __APPLE__
  return audit_log_on_macos(home);
#else
  return audit_log_on_linux(environment, home);
#endif
}

}  // namespace cowork_terminal::policy
