#include "registration/report_text.hpp"

#include <algorithm>
#include <cowork_terminal/registration/server_entry.hpp>

#include "registration/unified_diff.hpp"

namespace cowork_terminal::registration {
namespace {

bool is_changed(const FileChange& change) { return change.before != change.after; }

bool any_changed(const InstallReport& report) {
  return std::any_of(report.changes.begin(), report.changes.end(), is_changed);
}

std::string diffs(const InstallReport& report) {
  std::string text;
  for (const FileChange& change : report.changes) {
    const std::string name = utf8_from_path(change.file);
    text += unified_diff(change.before.value_or(""), change.after.value_or(""), change.before ? name : "/dev/null",
                         change.after ? name : "/dev/null");
  }
  return text + "Nothing was written: this was a dry run.\n";
}

std::string files(const InstallReport& report) {
  std::string text;
  for (const FileChange& change : report.changes) {
    const std::string note = !is_changed(change) ? " (unchanged)"
                             : change.after      ? ""
                                                 : " (deleted: nothing else was in it)";
    text += "  File:    " + utf8_from_path(change.file) + note + "\n";
    if (change.backup) text += "  Backup:  " + utf8_from_path(*change.backup) + "\n";
  }
  return text;
}

}  // namespace

InstallReport failed(const std::string& reason) {
  InstallReport report;
  report.exit_code = 1;
  report.remarks = reason + "\n";
  return report;
}

InstallReport misused(const std::string& reason) {
  InstallReport report = failed(reason);
  report.exit_code = 2;
  return report;
}

std::string describe_install(const Client& client, const InstallRequest& request, const InstallReport& report,
                             const std::vector<std::string>& names, const std::string& next) {
  const std::string title(client.title);
  if (report.changes.empty()) return {};
  if (!any_changed(report)) {
    return "Already registered with " + title + ": " + quoted_list(names) + ". Nothing was changed.\n" + files(report);
  }
  if (request.effect == Effect::dry_run) return diffs(report) + "After the real run: " + next + "\n";
  return "Registered " + quoted_list(names) + " with " + title + ".\n" + files(report) +
         "  Starts:  " + command_line({request.executable, request.args}) + "\nNext: " + next + "\n";
}

std::string describe_uninstall(const Client& client, const UninstallRequest& request, const InstallReport& report,
                               const std::vector<std::string>& names, const std::string& next) {
  const std::string title(client.title);
  if (report.changes.empty()) return {};
  if (!any_changed(report)) {
    return "\"" + request.name + "\" is not registered with " + title + ". Nothing was changed.\n" + files(report);
  }
  if (request.effect == Effect::dry_run) return diffs(report) + "After the real run: " + next + "\n";
  return "Took " + quoted_list(names) + " out of the configuration of " + title + ".\n" + files(report) +
         "Next: " + next + "\n";
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += "\"" + names[i] + "\"";
  }
  return text;
}

}  // namespace cowork_terminal::registration
