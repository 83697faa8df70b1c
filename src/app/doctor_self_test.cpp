#include "app/doctor_self_test.hpp"

#include <cowork_terminal/app/run_program.hpp>
#include <cowork_terminal/process/environment.hpp>
#include <cowork_terminal/shell/bash_invocation.hpp>
#include <cowork_terminal/shell/home_directory.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace cowork_terminal::app {

namespace {

using nlohmann::json;

constexpr auto time_limit = std::chrono::seconds(20);

// Both handshakes, the list and a command; no character in them is special to bash in a quoted here-document.
constexpr char requests[] =
    R"({"jsonrpc":"2.0","id":"discover","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})"
    "\n"
    R"({"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"doctor","version":"1"}}})"
    "\n"
    R"({"jsonrpc":"2.0","id":"list","method":"tools/list"})"
    "\n"
    R"({"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"execute_command","arguments":{"command":"echo alive","timeout":10000}}})"
    "\n";

process::Command conversation(const std::string& executable, const std::string& bash) {
  auto environment = process::Environment::current();
  environment.set("COWORK_TERMINAL_DOCTOR_PROGRAM", executable);
  auto invocation = shell::invoke_bash(
      bash,
      std::string("\"$COWORK_TERMINAL_DOCTOR_PROGRAM\" --no-audit-log --login-env never --log-level off <<'END'\n") +
          requests + "END\n");
  process::Command command;
  command.argv = std::move(invocation.argv);
  command.script = std::move(invocation.script);
  command.working_directory = shell::home_directory(environment).path;
  command.environment = std::move(environment);
  command.timeout = time_limit;
  return command;
}

std::map<std::string, json> results_by_id(const std::string& output) {
  std::map<std::string, json> results;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const auto message = json::parse(line, nullptr, false);
    if (!message.is_object() || !message.contains("result") || !message["id"].is_string()) continue;
    results[message["id"].get<std::string>()] = message["result"];
  }
  return results;
}

// The first thing that is not as it must be; empty if all is.
std::string fault(std::map<std::string, json>& results) {
  if (!results["discover"].is_object() || !results["discover"].contains("supportedVersions"))
    return "no answer to server/discover";
  if (!results["initialize"].is_object() || !results["initialize"].contains("protocolVersion"))
    return "no answer to initialize";
  const auto tools = results["list"].is_object() ? results["list"].value("tools", json()) : json();
  if (!tools.is_array() || tools.size() != 1) return "tools/list does not hold one tool";
  const auto content = results["call"].is_object() ? results["call"].value("structuredContent", json()) : json();
  if (!content.is_object() || content.value("stdout", "") != "alive\n") return "`echo alive` did not answer `alive`";
  return {};
}

}  // namespace

Check check_server(const std::string& executable, const std::string& bash) {
  Check check{"self-test", Verdict::good, "", ""};
  const auto run = run_program(conversation(executable, bash));
  auto results = results_by_id(run.outcome.standard_output.text);
  const auto found = fault(results);
  if (found.empty()) {
    check.finding =
        "started as a server, both handshakes, one tool, `echo` ran: " + std::to_string(run.outcome.duration.count()) +
        " ms";
    return check;
  }
  check.verdict = Verdict::broken;
  check.finding = "started as a server: " + found;
  if (!run.outcome.standard_error.text.empty()) check.finding += "\n" + run.outcome.standard_error.text;
  check.remedy = "Start it by hand with --log-level trace and look at what it says on stderr.";
  return check;
}

}  // namespace cowork_terminal::app
