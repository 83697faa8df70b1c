#include "policy/audit_entry.hpp"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace cowork_terminal::policy {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t text_limit = 64 * 1'024;
constexpr std::size_t reason_limit = 4 * 1'024;

// At most `limit` bytes, without the start of a character whose end is cut off.
std::string_view head(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; };
  while (end + 3 > limit && end > 0 && continues(end)) --end;
  return text.substr(0, continues(end) ? limit : end);
}

// RFC 3339, in UTC, to the millisecond.
std::string timestamp(std::chrono::system_clock::time_point time) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{floor<milliseconds>(time - day)};
  std::array<char, 64> text{};
  const int size =
      std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                    static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                    static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return {text.data(), static_cast<std::size_t>(size)};
}

Json object(const AuditEntry& entry, const char* event) {
  return {{"time", timestamp(entry.time)}, {"event", event}, {"id", entry.id}, {"pid", entry.server_pid}};
}

void add_command(Json& line, std::string_view command) {
  line["command"] = head(command, text_limit);
  if (command.size() > text_limit) line["commandBytes"] = command.size();
}

void add_names(Json& line, const std::vector<std::string>& names) {
  auto& list = line["env"] = Json::array();
  std::size_t room = text_limit;
  for (const auto& name : names) {
    if (name.size() > room) break;
    room -= name.size();
    list.push_back(name);
  }
  if (list.size() < names.size()) line["envCount"] = names.size();
}

std::string joined(const std::vector<std::string>& argv) {
  std::string text;
  for (const auto& argument : argv) text.append(text.empty() ? "" : " ").append(argument);
  return text;
}

std::string finished(const Json& line) { return line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; }

}  // namespace

std::string start_line(const AuditEntry& entry, const process::Command& command) {
  Json line = object(entry, "start");
  line["cwd"] = head(command.working_directory, text_limit);
  add_command(line, command.record ? command.record->text : joined(command.argv));
  add_names(line, command.record ? command.record->env_names : std::vector<std::string>{});
  return finished(line);
}

std::string end_line(const AuditEntry& entry, const process::CommandOutcome& outcome, AuditLog::Bytes written) {
  Json line = object(entry, "end");
  const auto* exited = std::get_if<process::Exited>(&outcome.ending);
  const auto* signaled = std::get_if<process::Signaled>(&outcome.ending);
  line["exitCode"] = nullptr;
  if (exited != nullptr) line["exitCode"] = exited->code;
  if (signaled != nullptr) {
    line["exitCode"] = 128 + signaled->signal;
    line["signal"] = process::signal_name(signaled->signal);
  }
  line["timedOut"] = std::holds_alternative<process::TimedOut>(outcome.ending);
  line["cancelled"] = std::holds_alternative<process::Cancelled>(outcome.ending);
  if (const auto* failed = std::get_if<process::FailedToStart>(&outcome.ending)) {
    line["refused"] = head(failed->reason, reason_limit);
  }
  line["durationMs"] = outcome.duration.count();
  line["stdoutBytes"] = written.standard_output;
  line["stderrBytes"] = written.standard_error;
  return finished(line);
}

std::string job_line(const AuditEntry& entry) { return finished(object(entry, "job")); }

std::string refusal_line(const AuditEntry& entry, const std::string& command, const std::string& reason) {
  Json line = object(entry, "refused");
  add_command(line, command);
  line["reason"] = head(reason, reason_limit);
  return finished(line);
}

}  // namespace cowork_terminal::policy
