#include "policy/audit_log_place.hpp"

#include <cowork_terminal/policy/audit_log.hpp>

#include "support/catch.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::policy;

TEST_CASE("on Linux the log is in the state folder", "[policy]") {
  process::Environment environment;
  CHECK(audit_log_on_linux(environment, "/home/ann") == "/home/ann/.local/state/cowork-terminal-mcp/commands.jsonl");
  CHECK(audit_log_on_linux(environment, "/") == "/.local/state/cowork-terminal-mcp/commands.jsonl");
  environment.set("XDG_STATE_HOME", "/var/state");
  CHECK(audit_log_on_linux(environment, "/home/ann") == "/var/state/cowork-terminal-mcp/commands.jsonl");
  for (const char* ignored : {"", "state", "./state"}) {
    environment.set("XDG_STATE_HOME", ignored);
    CHECK(audit_log_on_linux(environment, "/home/ann") == "/home/ann/.local/state/cowork-terminal-mcp/commands.jsonl");
  }
}

TEST_CASE("on macOS the log is in Library/Logs, on Windows in the local application data", "[policy]") {
  CHECK(audit_log_on_macos("/Users/ann") == "/Users/ann/Library/Logs/cowork-terminal-mcp/commands.jsonl");
  process::Environment environment;
  CHECK(audit_log_on_windows(environment, "C:\\Users\\ann") ==
        "C:\\Users\\ann\\AppData\\Local\\cowork-terminal-mcp\\commands.jsonl");
  environment.set("LOCALAPPDATA", "D:\\Local");
  CHECK(audit_log_on_windows(environment, "C:\\Users\\ann") == "D:\\Local\\cowork-terminal-mcp\\commands.jsonl");
}

TEST_CASE("the log of this system is below the home directory", "[policy]") {
  CHECK(default_audit_log({}, "/home/ann").starts_with("/home/ann"));
}
