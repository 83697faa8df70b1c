#include "policy/audit_log_place.hpp"

namespace cowork_terminal::policy {

namespace {

std::string below(const std::string& folder, const std::string& rest) {
  return folder.ends_with(rest.front()) ? folder + rest.substr(1) : folder + rest;
}

}  // namespace

std::string audit_log_on_linux(const process::Environment& environment, const std::string& home) {
  const std::string file = "/cowork-terminal-mcp/commands.jsonl";
  // The XDG base directory specification: relative paths are to be ignored.
  const std::string state = environment.get("XDG_STATE_HOME").value_or("");
  return state.starts_with('/') ? below(state, file) : below(home, "/.local/state" + file);
}

std::string audit_log_on_macos(const std::string& home) {
  return below(home, "/Library/Logs/cowork-terminal-mcp/commands.jsonl");
}

std::string audit_log_on_windows(const process::Environment& environment, const std::string& home) {
  const std::string local = environment.get("LOCALAPPDATA").value_or("");
  const std::string file = "\\cowork-terminal-mcp\\commands.jsonl";
  return local.empty() ? below(home, "\\AppData\\Local" + file) : below(local, file);
}

}  // namespace cowork_terminal::policy
