#include <algorithm>
#include <cowork_terminal/tools/execute_result.hpp>

namespace cowork_terminal::tools {

namespace {

using nlohmann::json;
using process::CapturedOutput;

constexpr std::size_t one_mebibyte = 1'048'576;

// One of the two streams on its way into the result.
struct Stream {
  std::string name;  // as the suffix calls it
  CapturedOutput output;
  bool cut_for_room = false;
};

std::string truncation_suffix(const Stream& stream, std::size_t output_limit) {
  const bool by_default_cap = output_limit == one_mebibyte && !stream.cut_for_room;
  const auto size = by_default_cap ? std::string("1MB") : std::to_string(stream.output.text.size()) + " bytes";
  const bool own_line = stream.output.text.empty() || stream.output.text.back() == '\n';
  return (own_line ? "[" : "\n[") + stream.name + " truncated at " + size + "]";
}

std::string rendered(Stream stream, std::size_t output_limit) {
  if (!stream.output.truncated) return std::move(stream.output.text);
  return stream.output.text + truncation_suffix(stream, output_limit);
}

// The last character border at or before `at`.
std::size_t character_border(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at;
}

// The longest prefix of whole characters that costs at most `allowed`. Costs of pieces add up, so it is found by
// ever smaller steps in one pass.
std::size_t prefix_within(std::string_view text, std::size_t allowed, const mcp::ResultRoom& room) {
  std::size_t kept = 0;
  for (std::size_t step = std::max<std::size_t>(text.size(), 1); step > 0; step /= 2) {
    while (kept < text.size()) {
      const auto next = character_border(text, kept + step);
      if (next <= kept) break;
      const auto cost = room.cost(text.substr(kept, next - kept));
      if (cost > allowed) break;
      allowed -= cost;
      kept = next;
    }
  }
  // A character of several bytes is longer than the last steps.
  for (std::size_t length = 2; length <= 4 && kept < text.size(); ++length) {
    if (character_border(text, kept + length) != kept + length) continue;
    if (room.cost(text.substr(kept, length)) <= allowed) kept += length;
    break;
  }
  return kept;
}

void cut_to_cost(Stream& stream, std::size_t allowed, const mcp::ResultRoom& room) {
  const auto kept = prefix_within(stream.output.text, allowed, room);
  if (kept == stream.output.text.size()) return;
  stream.output.text.resize(kept);
  stream.output.text.shrink_to_fit();
  stream.output.truncated = true;
  stream.cut_for_room = true;
}

// Contract C-13: the stream that costs more is cut first, until both fit.
void fit(Stream& first, Stream& second, std::size_t available, const mcp::ResultRoom& room) {
  if ((first.output.text.size() + second.output.text.size()) * mcp::ResultRoom::most_per_byte <= available) return;
  const auto cost = std::pair(room.cost(first.output.text), room.cost(second.output.text));
  if (cost.first + cost.second <= available) return;
  const auto smaller = std::min(cost.first, cost.second);
  const auto allowed = smaller <= available / 2 ? available - smaller : available / 2;
  cut_to_cost(first, allowed, room);
  cut_to_cost(second, allowed, room);
}

void tell_ending(const process::Ending& ending, json& result) {
  result["exitCode"] = nullptr;
  result["timedOut"] = std::holds_alternative<process::TimedOut>(ending);
  if (const auto* exited = std::get_if<process::Exited>(&ending)) result["exitCode"] = exited->code;
  if (const auto* signaled = std::get_if<process::Signaled>(&ending)) {
    result["exitCode"] = 128 + signaled->signal;
    result["signal"] = process::signal_name(signaled->signal);
  }
}

void note_truncation(const Stream& stream, std::vector<std::string>& notes) {
  if (!stream.output.truncated) return;
  const auto& file = stream.output.whole_file;
  notes.push_back(stream.name + " was cut: the command wrote " + std::to_string(stream.output.total_bytes) +
                  " bytes. " +
                  (file.empty() ? "Redirect it to a file and read parts of that."
                                : "All of it is in " + file + " until the server ends."));
}

}  // namespace

std::string timeout_note(std::chrono::milliseconds timeout) {
  return "The command was ended after its timeout of " + std::to_string(timeout.count()) +
         " ms, with everything it had started. Give a larger `timeout` if it needs longer.";
}

json execute_result(process::CommandOutcome outcome, std::vector<std::string> notes, std::size_t output_limit,
                    const mcp::ResultRoom& room) {
  json result;
  tell_ending(outcome.ending, result);
  notes.insert(notes.end(), outcome.notes.begin(), outcome.notes.end());

  Stream standard_output{"stdout", std::move(outcome.standard_output)};
  Stream standard_error{"stderr", std::move(outcome.standard_error)};

  // Room for all that is not stream: notes that may be added, suffixes, the members themselves.
  constexpr std::size_t additions = 2'048;
  std::size_t overhead = additions;
  for (const auto& note : notes) overhead += room.cost(note) + 16;
  fit(standard_output, standard_error, room.bytes - std::min(room.bytes, overhead), room);

  note_truncation(standard_output, notes);
  note_truncation(standard_error, notes);
  result["stdout"] = rendered(std::move(standard_output), output_limit);
  result["stderr"] = rendered(std::move(standard_error), output_limit);
  if (!notes.empty()) result["notes"] = std::move(notes);
  return result;
}

}  // namespace cowork_terminal::tools
