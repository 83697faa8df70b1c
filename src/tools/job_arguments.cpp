#include "tools/job_arguments.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "tools/execute_command_definition.hpp"

namespace cowork_terminal::tools {

namespace {

using nlohmann::json;
using std::chrono::milliseconds;

bool given(const json& arguments, const char* name) {
  const auto member = arguments.find(name);
  return member != arguments.end() && !member->is_null();
}

// A mistyped `cwd` must never run in the wrong directory (contract C-4).
std::string refuse_unknown(const json& arguments, const std::vector<std::string>& known) {
  std::string unknown;
  for (const auto& [name, value] : arguments.items()) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      unknown += (unknown.empty() ? "`" : ", `") + name + "`";
  }
  if (unknown.empty()) return {};
  std::string names;
  for (const auto& name : known) names += (names.empty() ? "`" : ", `") + name + "`";
  return "Unknown argument: " + unknown + ". Nothing was run. The parameters are " + names + ".";
}

struct Wait {
  milliseconds time;
  std::vector<std::string> notes;
};

std::variant<Wait, Refusal> parse_wait(const json& arguments, milliseconds max_wait) {
  if (!given(arguments, "wait")) return Wait{max_wait, {}};
  const auto& wait = arguments.at("wait");
  const auto time = wait.is_number() ? wait.get<double>() : -1.0;
  if (!(time >= 0)) return Refusal{"`wait` must be a number of milliseconds, 0 or more, e.g. 20000."};
  const auto longest = static_cast<double>(max_wait.count());
  if (time <= longest) return Wait{milliseconds(static_cast<std::int64_t>(std::ceil(time))), {}};
  return Wait{max_wait,
              {"wait was lowered to " + std::to_string(max_wait.count()) + " ms, the longest a call may take here."}};
}

std::variant<bool, Refusal> parse_stop(const json& arguments) {
  if (!given(arguments, "stop")) return false;
  if (!arguments.at("stop").is_boolean()) return Refusal{"`stop` must be true or false."};
  return arguments.at("stop").get<bool>();
}

// Arguments that only make sense beside a command.
std::string refuse_beside_job(const json& arguments) {
  for (const auto* name : {"command", "cwd", "timeout", "env"}) {
    if (given(arguments, name)) {
      return "`job` and `" + std::string(name) +
             "` exclude each other: give `job` alone (with `wait` or `stop`) to follow a command that runs, or "
             "`command` to start one.";
    }
  }
  return {};
}

std::variant<StartCommand, FollowUp, Refusal> parse_follow_up(const json& arguments, Wait wait) {
  if (!arguments.at("job").is_string()) return Refusal{"`job` must be a string: the id that an earlier result gave."};
  if (auto why = refuse_beside_job(arguments); !why.empty()) return Refusal{std::move(why)};
  const auto stop = parse_stop(arguments);
  if (const auto* refusal = std::get_if<Refusal>(&stop)) return *refusal;
  FollowUp follow_up{arguments.at("job").get<std::string>(), std::get<bool>(stop), wait.time, std::move(wait.notes)};
  // The end of a stopped tree is near (contract C-20).
  if (follow_up.stop) follow_up.wait.reset();
  return follow_up;
}

}  // namespace

std::variant<StartCommand, FollowUp, Refusal> parse_call_arguments(const json& arguments, milliseconds max_wait) {
  const bool jobs = max_wait > milliseconds(0);
  if (auto unknown = refuse_unknown(arguments, execute_command_parameters(max_wait)); !unknown.empty())
    return Refusal{std::move(unknown)};
  StartCommand start;
  if (jobs) {
    auto wait = parse_wait(arguments, max_wait);
    if (auto* refusal = std::get_if<Refusal>(&wait)) return std::move(*refusal);
    if (given(arguments, "job")) return parse_follow_up(arguments, std::get<Wait>(std::move(wait)));
    const auto stop = parse_stop(arguments);
    if (const auto* refusal = std::get_if<Refusal>(&stop)) return *refusal;
    if (std::get<bool>(stop)) return Refusal{"`stop` needs `job`: the id of the job to end."};
    if (!given(arguments, "command"))
      return Refusal{"Give either `command`, the bash command to run, or `job`, the id of a command that runs."};
    start.wait = std::get<Wait>(wait).time;
    start.notes = std::get<Wait>(std::move(wait)).notes;
  }
  auto parsed = parse_execute_arguments(arguments);
  if (auto* refusal = std::get_if<Refusal>(&parsed)) return std::move(*refusal);
  start.arguments = std::get<ExecuteArguments>(std::move(parsed));
  return start;
}

}  // namespace cowork_terminal::tools
