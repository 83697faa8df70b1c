#pragma once

#include <cowork_terminal/registration/install.hpp>
#include <cowork_terminal/registration/server_entry.hpp>
#include <string>
#include <vector>

namespace cowork_terminal::registration {

enum class Rewrite { keep_other_keys, anew };

struct PlannedEntry {
  std::string name;
  Rewrite rewrite = Rewrite::keep_other_keys;
};

// Which entries among those that are there an installation writes.
struct EntryPlan {
  std::vector<PlannedEntry> entries;
  std::vector<std::string> remarks;
  std::string refusal;  // not empty: nothing is to be written, and why
};

EntryPlan plan_install(const std::vector<ServerEntry>& there, const InstallRequest& request);

// Which entries an uninstallation takes out.
struct RemovalPlan {
  std::vector<ServerEntry> entries;
  std::string refusal;
};

RemovalPlan plan_uninstall(const std::vector<ServerEntry>& there, const UninstallRequest& request);

}  // namespace cowork_terminal::registration
