#include <cowork_terminal/shell/command_environment.hpp>

#include "shell/windows_variables.hpp"

namespace cowork_terminal::shell {

namespace {

void put_before_path(process::Environment& environment, const std::vector<std::string>& folders) {
  if (folders.empty()) return;
  std::string path;
  for (const auto& folder : folders) path += folder + ';';
  path += environment.get("PATH").value_or("");
  if (path.ends_with(';')) path.pop_back();
  environment.set("PATH", path);
}

}  // namespace

process::Environment command_environment(process::Environment server, const std::vector<std::string>& path_prefix) {
  for (const char* kept_by_the_client : {"CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_MESSAGING_SOCKET"}) {
    server.remove(kept_by_the_client);
  }
  // bash takes its options from these at its start.
  for (const char* changes_bash : {"SHELLOPTS", "BASHOPTS"}) server.remove(changes_bash);
  server.set("GIT_TERMINAL_PROMPT", "0");
  server.set("GCM_INTERACTIVE", "never");
  server.set("GH_PROMPT_DISABLED", "1");
  server.set("GIT_PAGER", "cat");
  server.set("PAGER", "cat");
  repair_system_variables(server);
  put_before_path(server, path_prefix);
  return server;
}

}  // namespace cowork_terminal::shell
