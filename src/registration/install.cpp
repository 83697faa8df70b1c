#include <algorithm>
#include <cowork_terminal/registration/client.hpp>
#include <cowork_terminal/registration/install.hpp>
#include <optional>

#include "registration/claude_code.hpp"
#include "registration/config_format.hpp"
#include "registration/document_error.hpp"
#include "registration/file_installation.hpp"
#include "registration/next_step.hpp"
#include "registration/report_text.hpp"

namespace cowork_terminal::registration {
namespace {

bool is_valid_name(const std::string& name) {
  return !name.empty() && find_invalid_utf8(name) == std::string::npos &&
         std::none_of(name.begin(), name.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; });
}

bool is_claude_code_name(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::optional<InstallReport> refuse_name(const std::string& client, const std::string& name) {
  if (!is_valid_name(name)) return misused("--name must be readable text, and not empty.");
  if (client == "claude-code" && !is_claude_code_name(name)) {
    return misused("--name " + name + ": Claude Code takes only letters, digits, - and _ in a name.");
  }
  return std::nullopt;
}

std::optional<InstallReport> refuse_launch(const InstallRequest& request) {
  if (find_invalid_utf8(request.executable) != std::string::npos) {
    return failed(
        "The path of this program is not UTF-8, so no configuration can hold it; move the program elsewhere.");
  }
  for (const std::string& arg : request.args) {
    if (find_invalid_utf8(arg) != std::string::npos) return misused("The options after -- must be UTF-8.");
  }
  return std::nullopt;
}

InstallReport unknown_client(const std::string& name) {
  return misused((name.empty() ? "Name a client with --client" : "There is no client \"" + name + "\"") +
                 ". There are: " + client_names() +
                 ". For any other, `install --print` shows the entry to put into its configuration.");
}

std::optional<std::string> claude_program(const Surroundings& surroundings) {
  if (!surroundings.find_program || !surroundings.run_program) return std::nullopt;
  return surroundings.find_program("claude");
}

InstallReport joined(InstallReport first, const InstallReport& second) {
  first.exit_code = std::max(first.exit_code, second.exit_code);
  first.text += second.text;
  first.remarks += second.remarks;
  first.changes.insert(first.changes.end(), second.changes.begin(), second.changes.end());
  return first;
}

bool changes_something(const InstallReport& report) {
  return report.exit_code != 0 || std::any_of(report.changes.begin(), report.changes.end(),
                                              [](const FileChange& change) { return change.before != change.after; });
}

}  // namespace

InstallReport install(const InstallRequest& request, const Surroundings& surroundings) {
  const Client* client = find_client(request.client);
  if (client == nullptr) return unknown_client(request.client);
  if (auto refusal = refuse_name(request.client, request.name)) return *refusal;
  if (auto refusal = refuse_launch(request)) return *refusal;
  const auto files = config_files(*client, surroundings);
  if (client->name != "claude-code") {
    return install_in_files(*client, files, request, next_step(*client, Change::entry_added, surroundings));
  }
  if (const auto claude = claude_program(surroundings)) return install_by_claude(*claude, request, surroundings);
  return install_in_files(*client, files, request, next_step_in_project(Change::entry_added, surroundings));
}

InstallReport uninstall(const UninstallRequest& request, const Surroundings& surroundings) {
  const Client* client = find_client(request.client);
  if (client == nullptr) return unknown_client(request.client);
  if (auto refusal = refuse_name(request.client, request.name)) return *refusal;
  const auto files = config_files(*client, surroundings);
  if (client->name != "claude-code") {
    return uninstall_from_files(*client, files, request, next_step(*client, Change::entry_removed, surroundings));
  }
  InstallReport in_project =
      uninstall_from_files(*client, files, request, next_step_in_project(Change::entry_removed, surroundings));
  const auto claude = claude_program(surroundings);
  if (!claude) return in_project;
  InstallReport by_claude = uninstall_by_claude(*claude, request, surroundings);
  return changes_something(in_project) ? joined(std::move(by_claude), in_project) : by_claude;
}

InstallReport print_entry(const InstallRequest& request) {
  if (auto refusal = refuse_name("", request.name)) return *refusal;
  if (auto refusal = refuse_launch(request)) return *refusal;
  const Client* known = find_client(request.client);
  const Client other{"", "the client", ConfigSyntax::plain_json, "mcpServers"};
  const Client& client = known == nullptr ? other : *known;
  InstallReport report;
  report.text = format_of(client)->with_entry("", request.name, {request.executable, request.args});
  report.remarks = "Put this into the configuration of " + std::string(client.title) +
                   ", beside what is there already, then quit it and open it again.\n";
  return report;
}

}  // namespace cowork_terminal::registration
