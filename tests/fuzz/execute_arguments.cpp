#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <variant>

#include "tools/job_arguments.hpp"

using namespace cowork_terminal::tools;
using nlohmann::json;
using std::chrono::milliseconds;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

bool holds_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

bool is_variable_name(std::string_view name) {
  return !name.empty() && !holds_nul(name) && name.find('=') == std::string_view::npos;
}

json member(const json& arguments, const char* name) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? json() : *found;
}

void demand_known(const json& arguments, milliseconds max_wait) {
  for (const auto& [name, value] : arguments.items()) {
    const bool of_every_call = name == "command" || name == "cwd" || name == "timeout" || name == "env";
    const bool of_jobs = name == "wait" || name == "job" || name == "stop";
    demand(of_every_call || (max_wait.count() > 0 && of_jobs));
  }
}

void demand_timeout(const ExecuteArguments& arguments, const json& given) {
  demand(arguments.timeout.has_value() == !given.is_null());
  if (!arguments.timeout) return;
  const auto milliseconds = arguments.timeout->duration.count();
  demand(milliseconds >= 1 && milliseconds <= 2'147'483'647);
  demand(!arguments.timeout->lowered || milliseconds == 2'147'483'647);
  demand(given.is_number() || given.is_string());
  if (!given.is_string()) return;
  const auto& text = given.get_ref<const std::string&>();
  demand(std::count(text.begin(), text.end(), '.') <= 1);
  demand(text.find_first_not_of("0123456789.") == std::string::npos);
  demand(text.front() != '.' && text.back() != '.');
}

void demand_environment(const ExecuteArguments& arguments, const json& given) {
  demand(arguments.environment.size() == given.size());
  for (const auto& [name, value] : arguments.environment) {
    demand(is_variable_name(name));
    const json& source = given.at(name);
    demand(value.has_value() == !source.is_null());
    if (!value) continue;
    demand(!holds_nul(*value));
    demand(source.is_string() || source.is_number() || source.is_boolean());
    demand(*value == (source.is_string() ? source.get<std::string>() : source.dump()));
  }
}

void demand_command(const StartCommand& start, const json& arguments, milliseconds max_wait) {
  demand(member(arguments, "command") == json(start.arguments.command));
  demand(!holds_nul(start.arguments.command) && !start.arguments.command.empty());
  const json directory = member(arguments, "cwd");
  demand(start.arguments.working_directory == (directory.is_null() ? "" : directory.get<std::string>()));
  demand(!holds_nul(start.arguments.working_directory));
  demand_timeout(start.arguments, member(arguments, "timeout"));
  demand_environment(start.arguments, member(arguments, "env"));
  demand(start.wait.has_value() == (max_wait.count() > 0));
  demand(!start.wait || (start.wait->count() >= 0 && *start.wait <= max_wait));
  demand(member(arguments, "job").is_null() && member(arguments, "stop") != true);
}

void demand_follow_up(const FollowUp& follow_up, const json& arguments, milliseconds max_wait) {
  demand(max_wait.count() > 0);
  demand(member(arguments, "job") == json(follow_up.job));
  for (const auto* name : {"command", "cwd", "timeout", "env"}) demand(member(arguments, name).is_null());
  demand(follow_up.stop == (member(arguments, "stop") == true));
  demand(follow_up.wait.has_value() != follow_up.stop);
  demand(!follow_up.wait || (follow_up.wait->count() >= 0 && *follow_up.wait <= max_wait));
}

// Everything that the input schema of a server without jobs admits, less what no program can be given (C-7).
bool must_be_accepted(const json& arguments) {
  for (const auto& [name, value] : arguments.items()) {
    if (name == "timeout") {
      if (!value.is_number() || !(value.get<double>() > 0)) return false;
    } else if (name == "env") {
      if (!value.is_object()) return false;
      for (const auto& [variable, text] : value.items()) {
        if (!is_variable_name(variable) || !text.is_string() || holds_nul(text.get_ref<const std::string&>()))
          return false;
      }
    } else if (name != "command" && name != "cwd") {
      return false;
    } else if (!value.is_string() || holds_nul(value.get_ref<const std::string&>())) {
      return false;
    }
  }
  const json command = member(arguments, "command");
  if (!command.is_string()) return false;
  const auto& text = command.get_ref<const std::string&>();
  return std::any_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

void demand_sound(const json& arguments, milliseconds max_wait) {
  const auto parsed = parse_call_arguments(arguments, max_wait);
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) {
    demand(!refusal->text.empty());
    demand(json::accept(json(refusal->text).dump()));
    demand(!must_be_accepted(arguments));
    return;
  }
  demand_known(arguments, max_wait);
  if (const auto* start = std::get_if<StartCommand>(&parsed)) {
    demand_command(*start, arguments, max_wait);
  } else {
    demand_follow_up(std::get<FollowUp>(parsed), arguments, max_wait);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const json arguments = json::parse(data, data + size, nullptr, false);
  if (!arguments.is_object()) return 0;
  demand_sound(arguments, milliseconds(0));
  demand_sound(arguments, milliseconds(45'000));
  return 0;
}
