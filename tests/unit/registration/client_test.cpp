#include <cowork_terminal/registration/client.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace cowork_terminal::registration;
using std::filesystem::path;

namespace {

struct PretendedMachine {
  Platform platform;
  std::map<std::string, std::string, std::less<>> environment;
  std::set<std::string> folders;
  std::vector<std::string> packages;

  [[nodiscard]] std::vector<std::string> files_of(const std::string& client) const {
    Surroundings surroundings;
    surroundings.platform = platform;
    surroundings.home = "/home/ann";
    surroundings.working_directory = "/projects/app";
    surroundings.environment = [this](std::string_view name) -> std::optional<std::string> {
      const auto found = environment.find(name);
      return found == environment.end() ? std::nullopt : std::optional(found->second);
    };
    surroundings.folder_exists = [this](const path& folder) { return folders.count(folder.generic_string()) > 0; };
    surroundings.subfolders = [this](const path& folder) {
      return folder.filename() == "Packages" ? packages : std::vector<std::string>();
    };
    std::vector<std::string> files;
    for (const path& file : config_files(*find_client(client), surroundings)) files.push_back(file.generic_string());
    return files;
  }
};

using Files = std::vector<std::string>;

}  // namespace

TEST_CASE("the files of Claude Desktop are where it looks on each system", "[registration]") {
  const std::string file = "/claude_desktop_config.json";
  CHECK(PretendedMachine{Platform::macos, {}, {}, {}}.files_of("claude-desktop") ==
        Files{"/home/ann/Library/Application Support/Claude" + file});
  CHECK(PretendedMachine{Platform::gnu_linux, {}, {}, {}}.files_of("claude-desktop") ==
        Files{"/home/ann/.config/Claude" + file});
  CHECK(PretendedMachine{Platform::gnu_linux, {{"XDG_CONFIG_HOME", "/xdg"}}, {}, {}}.files_of("claude-desktop") ==
        Files{"/xdg/Claude" + file});
  CHECK(PretendedMachine{Platform::gnu_linux, {{"XDG_CONFIG_HOME", "relative"}}, {}, {}}.files_of("claude-desktop") ==
        Files{"/home/ann/.config/Claude" + file});
  CHECK(PretendedMachine{Platform::windows, {}, {}, {}}.files_of("claude-desktop") ==
        Files{"/home/ann/AppData/Roaming/Claude" + file});
  CHECK(PretendedMachine{Platform::windows, {{"APPDATA", "/roaming"}}, {}, {}}.files_of("claude-desktop") ==
        Files{"/roaming/Claude" + file});
}

TEST_CASE("on Windows every place whose folder exists is written, the Store's packages too", "[registration]") {
  const std::string file = "/claude_desktop_config.json";
  const std::string store = "/local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude";
  PretendedMachine machine{Platform::windows,
                           {{"APPDATA", "/roaming"}, {"LOCALAPPDATA", "/local"}},
                           {store},
                           {"Claudette_x", "Claude_pzs8sxrjxfjjc", "Microsoft.x", "claude_other"}};
  CHECK(machine.files_of("claude-desktop") == Files{store + file});
  machine.folders.insert("/roaming/Claude");
  CHECK(machine.files_of("claude-desktop") == Files{"/roaming/Claude" + file, store + file});
  machine.folders = {"/local/Packages/Claudette_x/LocalCache/Roaming/Claude"};
  CHECK(machine.files_of("claude-desktop") == Files{"/roaming/Claude" + file});
  machine.folders = {"/local/Packages/claude_other/LocalCache/Roaming/Claude"};
  CHECK(machine.files_of("claude-desktop").front().find("claude_other") != std::string::npos);
}

TEST_CASE("the files of the other clients follow the table", "[registration]") {
  const PretendedMachine mac{Platform::macos, {}, {}, {}};
  const PretendedMachine tux{Platform::gnu_linux, {{"XDG_CONFIG_HOME", "/xdg"}}, {}, {}};
  const PretendedMachine windows{Platform::windows, {{"APPDATA", "/roaming"}}, {}, {}};
  CHECK(mac.files_of("vscode") == Files{"/home/ann/Library/Application Support/Code/User/mcp.json"});
  CHECK(tux.files_of("vscode") == Files{"/home/ann/.config/Code/User/mcp.json"});
  CHECK(windows.files_of("vscode") == Files{"/roaming/Code/User/mcp.json"});
  for (const PretendedMachine& machine : {mac, tux, windows}) {
    CHECK(machine.files_of("cursor") == Files{"/home/ann/.cursor/mcp.json"});
    CHECK(machine.files_of("codex") == Files{"/home/ann/.codex/config.toml"});
    CHECK(machine.files_of("claude-code") == Files{"/projects/app/.mcp.json"});
  }
}

TEST_CASE("clients are known by their exact names", "[registration]") {
  CHECK(client_names() == "claude-desktop, claude-code, cursor, vscode, codex");
  CHECK(find_client("Cursor") == nullptr);
  CHECK(find_client("") == nullptr);
  CHECK(find_client("vscode")->servers_key == "servers");
}
