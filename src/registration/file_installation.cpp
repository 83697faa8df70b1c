#include "registration/file_installation.hpp"

#include <cowork_terminal/registration/server_entry.hpp>
#include <functional>
#include <optional>
#include <utility>

#include "registration/config_file.hpp"
#include "registration/config_format.hpp"
#include "registration/document_error.hpp"
#include "registration/entry_plan.hpp"
#include "registration/report_text.hpp"
#include "registration/unified_diff.hpp"

namespace cowork_terminal::registration {
namespace {

using std::filesystem::path;

// What is to become of one file.
struct FilePlan {
  ConfigFile file;
  std::optional<std::string> after;  // none: there is to be no file
  std::vector<std::string> names;    // of the entries that are written or taken out
  std::vector<std::string> remarks;
};

class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

FilePlan plan_file(const ConfigFormat& format, const path& file, const InstallRequest& request) {
  FilePlan plan;
  plan.file = read_config_file(file);
  const Launch launch{request.executable, request.args};
  std::string text = plan.file.text.value_or("");
  const EntryPlan entries = plan_install(format.entries(text), request);
  if (!entries.refusal.empty()) throw Refusal(entries.refusal);
  plan.remarks = entries.remarks;
  if (std::string remark = format.remark(text); !remark.empty()) plan.remarks.push_back(std::move(remark));
  for (const PlannedEntry& entry : entries.entries) {
    if (entry.rewrite == Rewrite::anew) text = format.without_entry(text, entry.name);
    text = format.with_entry(text, entry.name, launch);
    plan.names.push_back(entry.name);
  }
  plan.after = std::move(text);
  return plan;
}

// A text that gives `current` when the entry is added to it is what was there before. The backups are asked first:
// taking the entry out cannot tell an object that we added from an empty one that we found.
std::optional<std::string> text_before(const ConfigFormat& format, const ConfigFile& file, const ServerEntry& entry,
                                       std::string otherwise) {
  for (const std::string& backup : read_backups(file)) {
    try {
      bool has_entry = false;
      for (const ServerEntry& old : format.entries(backup)) has_entry = has_entry || old.name == entry.name;
      if (!has_entry && format.with_entry(backup, entry.name, entry.launch) == file.text) {
        return std::string(checked_utf8(backup));
      }
    } catch (const DocumentError&) {
      continue;
    }
  }
  if (format.with_entry("", entry.name, entry.launch) == file.text) return std::nullopt;
  return otherwise;
}

FilePlan plan_file(const ConfigFormat& format, const path& file, const UninstallRequest& request) {
  FilePlan plan;
  plan.file = read_config_file(file);
  plan.after = plan.file.text;
  if (!plan.file.text) return plan;
  const RemovalPlan entries = plan_uninstall(format.entries(*plan.file.text), request);
  if (!entries.refusal.empty()) throw Refusal(entries.refusal);
  std::string text = *plan.file.text;
  // Throws if the entry is there in a form that is not read as one.
  if (entries.entries.empty()) static_cast<void>(format.without_entry(text, request.name));
  for (const ServerEntry& entry : entries.entries) {
    text = format.without_entry(text, entry.name);
    plan.names.push_back(entry.name);
  }
  plan.after = entries.entries.size() == 1 ? text_before(format, plan.file, entries.entries.front(), text) : text;
  return plan;
}

FileChange apply(const FilePlan& plan, Effect effect) {
  FileChange change{plan.file.path, plan.file.text, plan.after, {}};
  if (effect == Effect::dry_run || change.before == change.after) return change;
  if (plan.after) {
    change.backup = write_config_file(plan.file, *plan.after);
  } else {
    delete_config_file(plan.file);
  }
  return change;
}

template <typename Request>
InstallReport change_files(
    const Client& client, const std::vector<path>& files, const Request& request,
    const std::function<std::string(const InstallReport&, const std::vector<std::string>&)>& text) {
  const auto format = format_of(client);
  InstallReport report;
  std::vector<FilePlan> plans;
  for (const path& file : files) {
    const std::string where = utf8_from_path(file) + ": ";
    try {
      plans.push_back(plan_file(*format, file, request));
    } catch (const DocumentError& error) {
      return failed(where + error.what() + ". Nothing was written.");
    } catch (const Refusal& refusal) {
      return failed(where + refusal.what() + ". Nothing was written.");
    } catch (const FileError& error) {
      return failed(std::string(error.what()) + ". Nothing was written.");
    }
    for (const std::string& remark : plans.back().remarks) report.remarks += where + remark + ".\n";
  }
  std::vector<std::string> names;
  for (const FilePlan& plan : plans) {
    for (const std::string& name : plan.names) add_once(names, name);
    try {
      report.changes.push_back(apply(plan, request.effect));
    } catch (const FileError& error) {
      report.exit_code = 1;
      report.remarks += std::string(error.what()) + ".\n";
    }
  }
  report.text = text(report, names);
  return report;
}

}  // namespace

InstallReport install_in_files(const Client& client, const std::vector<path>& files, const InstallRequest& request,
                               const std::string& next) {
  return change_files(client, files, request, [&](const InstallReport& report, const std::vector<std::string>& names) {
    return describe_install(client, request, report, names, next);
  });
}

InstallReport uninstall_from_files(const Client& client, const std::vector<path>& files,
                                   const UninstallRequest& request, const std::string& next) {
  return change_files(client, files, request, [&](const InstallReport& report, const std::vector<std::string>& names) {
    return describe_uninstall(client, request, report, names, next);
  });
}

}  // namespace cowork_terminal::registration
