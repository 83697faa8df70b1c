#include "registration/entry_plan.hpp"

#include <algorithm>
#include <optional>

namespace cowork_terminal::registration {
namespace {

std::string entry_text(const ServerEntry& entry) { return "the entry \"" + entry.name + "\""; }

std::string starts(const ServerEntry& entry, EntryKind kind) {
  if (entry.launch.command.empty()) return "starts no program";
  const std::string what = kind == EntryKind::node_original ? "the Node original" : "another program";
  return "starts " + what + " (" + command_line(entry.launch) + ")";
}

std::string options_text(const std::vector<std::string>& args) {
  if (args.empty()) return "no options";
  std::string line = "the options";
  for (const std::string& arg : args) line += " " + command_line({arg, {}});
  return line;
}

const ServerEntry* find(const std::vector<ServerEntry>& entries, const std::string& name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const ServerEntry& e) { return e.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

bool is_ours(EntryKind kind) { return kind == EntryKind::this_program || kind == EntryKind::other_copy; }

// Why the entry of the wanted name is not touched; empty if it may be.
std::string refusal_for(const ServerEntry& entry, EntryKind kind) {
  const std::string text = entry_text(entry) + " " + starts(entry, kind);
  if (kind == EntryKind::node_original) return text + "; add --replace to let it start this program instead";
  return text + "; add --replace to put this program in its place, or --name to choose another name";
}

}  // namespace

EntryPlan plan_install(const std::vector<ServerEntry>& there, const InstallRequest& request) {
  EntryPlan plan;
  const bool replace = request.replacement == Replacement::replace;
  bool node_replaced = false;
  for (const ServerEntry& entry : there) {
    const EntryKind kind = kind_of(entry.launch, request.executable);
    const bool wanted = entry.name == request.name;
    if (wanted && !is_ours(kind) && !replace) {
      plan.refusal = refusal_for(entry, kind);
      return plan;
    }
    if (kind == EntryKind::node_original && replace) {
      node_replaced = true;
      plan.entries.push_back({entry.name});
      plan.remarks.push_back(entry_text(entry) + " started the Node original (" + command_line(entry.launch) + ")");
    } else if (kind == EntryKind::node_original) {
      plan.remarks.push_back(
          entry_text(entry) + " " + starts(entry, kind) +
          " beside this program; add --replace to let it start this program instead, or take it out");
    } else if (wanted) {
      plan.entries.push_back({entry.name, is_ours(kind) ? Rewrite::keep_other_keys : Rewrite::anew});
      if (!is_ours(kind))
        plan.remarks.push_back(entry_text(entry) + " is no longer what it was: it " + starts(entry, kind));
      if (is_ours(kind) && entry.launch.args != request.args) {
        plan.remarks.push_back(entry_text(entry) + " had " + options_text(entry.launch.args) + ", and has " +
                               options_text(request.args) + " now");
      }
    }
  }
  if (find(there, request.name) == nullptr && !node_replaced) plan.entries.push_back({request.name});
  return plan;
}

RemovalPlan plan_uninstall(const std::vector<ServerEntry>& there, const UninstallRequest& request) {
  RemovalPlan plan;
  if (const ServerEntry* entry = find(there, request.name)) {
    const EntryKind kind = kind_of(entry->launch, request.executable);
    if (is_ours(kind)) {
      plan.entries.push_back(*entry);
    } else {
      plan.refusal = entry_text(*entry) + " " + starts(*entry, kind) + "; take it out by hand if you do not want it";
    }
    return plan;
  }
  for (const ServerEntry& entry : there) {
    if (kind_of(entry.launch, request.executable) == EntryKind::this_program) plan.entries.push_back(entry);
  }
  return plan;
}

}  // namespace cowork_terminal::registration
