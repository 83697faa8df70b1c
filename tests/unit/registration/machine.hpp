#pragma once

#include <cowork_terminal/registration/client.hpp>
#include <cowork_terminal/registration/install.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "unit/registration/temporary_folder.hpp"

namespace cowork_terminal::registration {

// A person's machine with one client, and this program at /opt/cowork-terminal-mcp.
struct Machine {
  TemporaryFolder folder;
  Platform platform = Platform::macos;
  std::string client = "claude-desktop";

  [[nodiscard]] Surroundings surroundings() const { return surroundings_in(folder, platform); }
  [[nodiscard]] std::filesystem::path file() const {
    return config_files(*find_client(client), surroundings()).front();
  }
  [[nodiscard]] InstallRequest request() const {
    InstallRequest request;
    request.client = client;
    request.executable = "/opt/cowork-terminal-mcp";
    return request;
  }
  InstallReport install(const InstallRequest& request) const {
    return cowork_terminal::registration::install(request, surroundings());
  }
  InstallReport install() const { return install(request()); }
  InstallReport uninstall() const {
    UninstallRequest request;
    request.client = client;
    request.executable = "/opt/cowork-terminal-mcp";
    return cowork_terminal::registration::uninstall(request, surroundings());
  }
};

inline nlohmann::ordered_json read_json(const std::filesystem::path& file) {
  return nlohmann::ordered_json::parse(read_text(file));
}

}  // namespace cowork_terminal::registration
