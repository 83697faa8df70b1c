#include "app/doctor_clients.hpp"

#include <cowork_terminal/registration/inspection.hpp>

namespace cowork_terminal::app {

namespace {

using registration::EntryKind;

std::string install_line(const registration::Client& client, const char* option = "") {
  return "cowork-terminal-mcp install --client " + std::string(client.name) + option;
}

Check check_entry(const registration::Client& client, const registration::InspectedFile& file,
                  const registration::InspectedEntry& entry) {
  Check check{std::string(client.title), Verdict::good, "", ""};
  const auto place = "entry `" + entry.entry.name + "` in " + registration::utf8_from_path(file.file) +
                     (entry.scope.empty() ? "" : ", " + entry.scope);
  switch (entry.kind) {
    case EntryKind::this_program:
      check.finding = place + " starts this program";
      return check;
    case EntryKind::node_original:
      check.verdict = Verdict::remark;
      check.finding = place + " starts the Node original: " + registration::command_line(entry.entry.launch);
      check.remedy = "To replace it: " + install_line(client, " --replace");
      return check;
    case EntryKind::other_copy:
    case EntryKind::foreign:
      break;
  }
  check.verdict = Verdict::remark;
  check.finding = place + " starts another copy: " + registration::command_line(entry.entry.launch);
  check.remedy = "To use this one: " + install_line(client, " --replace");
  return check;
}

}  // namespace

std::vector<Check> check_clients(const std::string& executable, const registration::Surroundings& surroundings) {
  std::vector<Check> checks;
  for (const auto& inspected : registration::inspect_clients(executable, surroundings)) {
    bool found = false;
    bool client_is_here = false;
    for (const auto& file : inspected.files) {
      client_is_here = client_is_here || file.exists || file.folder_exists;
      if (!file.problem.empty()) {
        found = true;
        checks.push_back({std::string(inspected.client.title), Verdict::broken, file.problem,
                          "Mend the file, or restore its backup beside it."});
      }
      for (const auto& entry : file.entries) {
        found = true;
        checks.push_back(check_entry(inspected.client, file, entry));
      }
    }
    if (!found && client_is_here) {
      checks.push_back({std::string(inspected.client.title), Verdict::remark, "this program is not registered",
                        "To register it: " + install_line(inspected.client)});
    }
  }
  if (checks.empty()) {
    checks.push_back({"clients", Verdict::remark, "no configuration of a client was found",
                      "To register the program: cowork-terminal-mcp install --client NAME"});
  }
  return checks;
}

}  // namespace cowork_terminal::app
