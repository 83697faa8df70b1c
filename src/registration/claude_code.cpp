#include "registration/claude_code.hpp"

#include <cowork_terminal/registration/client.hpp>
#include <cowork_terminal/registration/server_entry.hpp>
#include <nlohmann/json.hpp>

#include "registration/claude_code_file.hpp"
#include "registration/config_file.hpp"
#include "registration/document_error.hpp"
#include "registration/entry_plan.hpp"
#include "registration/next_step.hpp"
#include "registration/report_text.hpp"

namespace cowork_terminal::registration {
namespace {

using Json = nlohmann::ordered_json;
using Argv = std::vector<std::string>;

std::string line_of(const Argv& argv) { return command_line({argv.front(), {argv.begin() + 1, argv.end()}}); }

// The calls of `claude` that bring one entry to where it shall be.
struct Calls {
  std::vector<Argv> argvs;
  Argv undo;  // if a later call than the first fails
};

// `claude` takes the name before its options: -e would swallow it otherwise.
class ClaudeCalls {
 public:
  explicit ClaudeCalls(std::string claude) : claude_(std::move(claude)) {}

  [[nodiscard]] Argv add(const std::string& name, const InstallRequest& request) const {
    Argv argv{claude_, "mcp", "add", name, "-s", "user", "--", request.executable};
    argv.insert(argv.end(), request.args.begin(), request.args.end());
    return argv;
  }

  [[nodiscard]] Argv add_json(const std::string& name, const Json& entry) const {
    return {claude_, "mcp", "add-json", name, "-s", "user", entry.dump()};
  }

  [[nodiscard]] Argv remove(const std::string& name) const { return {claude_, "mcp", "remove", name, "-s", "user"}; }

 private:
  std::string claude_;
};

// Whether `claude mcp add` writes all that the entry holds.
bool has_keys_of_its_own(const Json& entry) {
  for (const auto& [key, value] : entry.items()) {
    if (key != "type" && key != "command" && key != "args" && !(key == "env" && value.empty())) return true;
  }
  return false;
}

Calls calls_for(const ClaudeCalls& claude, const PlannedEntry& planned, const InstallRequest& request,
                const Json& servers) {
  const auto old = servers.find(planned.name);
  if (old == servers.end()) return {{claude.add(planned.name, request)}, {}};
  Calls calls{{claude.remove(planned.name)}, claude.add_json(planned.name, *old)};
  Json entry = *old;
  if (planned.rewrite == Rewrite::keep_other_keys && entry.is_object() && has_keys_of_its_own(entry)) {
    entry["command"] = request.executable;
    entry["args"] = request.args;
    calls.argvs.push_back(claude.add_json(planned.name, entry));
  } else {
    calls.argvs.push_back(claude.add(planned.name, request));
  }
  return calls;
}

bool is_set(const ClaudeCodeFile& file, const std::string& name, const InstallRequest& request) {
  for (const ServerEntry& entry : file.user_entries) {
    if (entry.name == name) return entry.launch == Launch{request.executable, request.args};
  }
  return false;
}

// What went wrong; empty if nothing did.
std::string run(const Calls& calls, const Surroundings& surroundings) {
  for (std::size_t i = 0; i < calls.argvs.size(); ++i) {
    const ProgramOutcome outcome = surroundings.run_program(calls.argvs[i]);
    if (outcome.exit_code == 0) continue;
    if (i > 0) surroundings.run_program(calls.undo);
    return "`" + line_of(calls.argvs[i]) + "` failed with exit code " + std::to_string(outcome.exit_code) + ":\n" +
           outcome.output + (outcome.output.ends_with('\n') ? "" : "\n") +
           "Run it by hand to see what Claude Code needs.";
  }
  return {};
}

std::string remarks_on_projects(const ClaudeCodeFile& file, const std::string& executable) {
  std::string text;
  for (const auto& [folder, entry] : file.project_entries) {
    if (kind_of(entry.launch, executable) != EntryKind::node_original) continue;
    text += "In " + folder + " the entry \"" + entry.name + "\" starts the Node original (" +
            command_line(entry.launch) + "); run `claude mcp remove " + entry.name +
            " -s local` there to take it out.\n";
  }
  return text;
}

std::string dry_run(const std::vector<Calls>& all) {
  std::string text = "Would run:\n";
  for (const Calls& calls : all) {
    for (const Argv& argv : calls.argvs) text += "  " + line_of(argv) + "\n";
  }
  return text + "Nothing was changed: this was a dry run.\n";
}

const Client& claude_code() { return *find_client("claude-code"); }

// Reads Claude Code's file and lets `act` go on with it; problems of the file become the report.
template <typename Act>
InstallReport with_file(const Surroundings& surroundings, const Act& act) {
  const auto path = claude_code_user_file(surroundings);
  try {
    return act(read_claude_code_file(path));
  } catch (const DocumentError& error) {
    return failed(utf8_from_path(path) + ": " + error.what() + ". Nothing was changed.");
  } catch (const FileError& error) {
    return failed(std::string(error.what()) + ". Nothing was changed.");
  }
}

InstallReport run_all(const std::vector<Calls>& all, const Surroundings& surroundings) {
  for (const Calls& calls : all) {
    if (const std::string problem = run(calls, surroundings); !problem.empty()) return failed(problem);
  }
  return {};
}

}  // namespace

InstallReport install_by_claude(const std::string& claude, const InstallRequest& request,
                                const Surroundings& surroundings) {
  return with_file(surroundings, [&](const ClaudeCodeFile& file) {
    const EntryPlan plan = plan_install(file.user_entries, request);
    if (!plan.refusal.empty()) return failed("Claude Code: " + plan.refusal + ". Nothing was changed.");
    std::vector<Calls> all;
    std::vector<std::string> names;
    for (const PlannedEntry& entry : plan.entries) {
      names.push_back(entry.name);
      if (is_set(file, entry.name, request)) continue;
      all.push_back(calls_for(ClaudeCalls(claude), entry, request, file.user_servers));
    }
    InstallReport report;
    const std::string next = next_step(claude_code(), Change::entry_added, surroundings);
    if (all.empty()) {
      report.text = "Already registered with Claude Code: " + quoted_list(names) + ". Nothing was changed.\n";
    } else if (request.effect == Effect::dry_run) {
      report.text = dry_run(all) + "After the real run: " + next + "\n";
    } else {
      report = run_all(all, surroundings);
      if (report.exit_code != 0) return report;
      report.text = "Registered " + quoted_list(names) + " with Claude Code, for all your projects.\n  Starts:  " +
                    command_line({request.executable, request.args}) + "\nNext: " + next + "\n";
    }
    for (const std::string& remark : plan.remarks) report.remarks += "Claude Code: " + remark + ".\n";
    report.remarks += remarks_on_projects(file, request.executable);
    return report;
  });
}

InstallReport uninstall_by_claude(const std::string& claude, const UninstallRequest& request,
                                  const Surroundings& surroundings) {
  return with_file(surroundings, [&](const ClaudeCodeFile& file) {
    const RemovalPlan plan = plan_uninstall(file.user_entries, request);
    if (!plan.refusal.empty()) return failed("Claude Code: " + plan.refusal + ". Nothing was changed.");
    std::vector<Calls> all;
    std::vector<std::string> names;
    for (const ServerEntry& entry : plan.entries) {
      names.push_back(entry.name);
      all.push_back({{ClaudeCalls(claude).remove(entry.name)}, {}});
    }
    InstallReport report;
    const std::string next = next_step(claude_code(), Change::entry_removed, surroundings);
    if (all.empty()) {
      report.text =
          "\"" + request.name + "\" is not registered with Claude Code for all projects. Nothing was changed.\n";
    } else if (request.effect == Effect::dry_run) {
      report.text = dry_run(all) + "After the real run: " + next + "\n";
    } else {
      report = run_all(all, surroundings);
      if (report.exit_code != 0) return report;
      report.text = "Took " + quoted_list(names) + " out of Claude Code.\nNext: " + next + "\n";
    }
    return report;
  });
}

}  // namespace cowork_terminal::registration
