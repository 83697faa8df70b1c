#include <algorithm>
#include <array>
#include <cowork_terminal/shell/login_environment.hpp>

namespace cowork_terminal::shell {

namespace {

// Of the shell that was asked, of its terminal or of our question, none of which commands have.
bool belongs_to_the_shell(std::string_view name) {
  constexpr std::array names = {"SHLVL",
                                "PWD",
                                "OLDPWD",
                                "_",
                                "TERM",
                                "COLUMNS",
                                "LINES",
                                "TTY",
                                "GPG_TTY",
                                "SHELLOPTS",
                                "BASHOPTS",
                                "PS1",
                                "HISTFILE",
                                "HISTCMD",
                                "TMUX",
                                "STY",
                                "WINDOWID",
                                "DISABLE_AUTO_UPDATE",
                                "ZSH_TMUX_AUTOSTART"};
  return std::find(names.begin(), names.end(), name) != names.end() || name.starts_with("COWORK_TERMINAL_");
}

bool has_entry(std::string_view path, std::string_view entry) {
  const std::string in_colons = ":" + std::string{path} + ":";
  return in_colons.find(":" + std::string{entry} + ":") != std::string::npos;
}

// A program that the server finds must not be lost, e.g. where /etc/profile sets PATH from nothing.
std::string joined_paths(std::string path, std::string_view server) {
  while (!server.empty()) {
    const auto length = std::min(server.find(':'), server.size());
    const auto entry = server.substr(0, length);
    server.remove_prefix(std::min(length + 1, server.size()));
    if (!entry.empty() && !has_entry(path, entry)) path.append(":").append(entry);
  }
  return path;
}

}  // namespace

process::Environment merge_login_environment(process::Environment server, const process::Environment& login) {
  const std::string path = login.get("PATH").value_or("");
  if (!path.empty()) server.set("PATH", joined_paths(path, server.get("PATH").value_or("")));
  for (const auto& [name, value] : login.variables()) {
    if (!belongs_to_the_shell(name) && !server.get(name)) server.set(name, value);
  }
  return server;
}

}  // namespace cowork_terminal::shell
