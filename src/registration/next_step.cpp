#include "registration/next_step.hpp"

namespace cowork_terminal::registration {

std::string next_step(const Client& client, Change change, const Surroundings& surroundings) {
  const bool added = change == Change::entry_added;
  if (client.name == "claude-desktop") {
    const std::string quit = surroundings.platform == Platform::macos
                                 ? "Quit Claude Desktop from its menu (Claude, then Quit Claude)"
                                 : "Quit Claude Desktop from its menu (File, then Exit) or from its icon in the tray";
    return quit + "; closing the window is not enough. Then open it again.";
  }
  if (client.name == "claude-code") return "Start a new session of Claude Code; /mcp lists its servers.";
  if (client.name == "cursor") {
    return added ? "Restart Cursor, and see in its settings under MCP that the server is switched on."
                 : "Restart Cursor.";
  }
  if (client.name == "vscode") {
    return added ? "In VS Code run \"MCP: List Servers\" from the command palette, choose the server and start it."
                 : "In VS Code run \"Developer: Reload Window\" from the command palette.";
  }
  return "Start a new session of " + std::string(client.title) + ".";
}

std::string next_step_in_project(Change change, const Surroundings& surroundings) {
  const std::string session = "Start a new session of Claude Code in " + surroundings.working_directory;
  return change == Change::entry_added ? session + " and approve the server when it asks." : session + ".";
}

}  // namespace cowork_terminal::registration
