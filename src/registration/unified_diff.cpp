#include "registration/unified_diff.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cowork_terminal::registration {
namespace {

using Lines = std::vector<std::string_view>;  // with their line breaks

constexpr std::size_t context = 3;
// A longer changed middle is shown as wholly replaced, rather than compared line by line.
constexpr std::size_t most_compared = 2'000;

struct Step {
  char mark;  // ' ', '-' or '+'
  std::string_view line;
};

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

// From the longest common subsequence, by the table of lengths of what is left.
std::vector<Step> compare(const Lines& before, const Lines& after) {
  std::vector<Step> steps;
  if (before.size() > most_compared || after.size() > most_compared) {
    for (const std::string_view line : before) steps.push_back({'-', line});
    for (const std::string_view line : after) steps.push_back({'+', line});
    return steps;
  }
  std::vector<std::vector<std::size_t>> common(before.size() + 1, std::vector<std::size_t>(after.size() + 1, 0));
  for (std::size_t i = before.size(); i-- > 0;) {
    for (std::size_t j = after.size(); j-- > 0;) {
      common[i][j] = before[i] == after[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      steps.push_back({' ', before[i++]});
      ++j;
    } else if (i < before.size() && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
      steps.push_back({'-', before[i++]});
    } else {
      steps.push_back({'+', after[j++]});
    }
  }
  return steps;
}

std::vector<Step> all_steps(Lines before, Lines after) {
  const auto differ = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  const Lines head(before.begin(), differ.first);
  before.erase(before.begin(), differ.first);
  after.erase(after.begin(), differ.second);
  Lines tail;
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    tail.push_back(before.back());
    before.pop_back();
    after.pop_back();
  }
  std::vector<Step> steps;
  for (const std::string_view line : head) steps.push_back({' ', line});
  for (const Step& step : compare(before, after)) steps.push_back(step);
  for (auto line = tail.rbegin(); line != tail.rend(); ++line) steps.push_back({' ', *line});
  return steps;
}

std::size_t count(const std::vector<Step>& steps, std::size_t begin, std::size_t end, char own) {
  std::size_t lines = 0;
  for (std::size_t i = begin; i < end; ++i) lines += steps[i].mark == ' ' || steps[i].mark == own ? 1U : 0U;
  return lines;
}

std::string range(const std::vector<Step>& steps, std::size_t begin, std::size_t end, char own) {
  const std::size_t length = count(steps, begin, end, own);
  const std::size_t first = count(steps, 0, begin, own) + (length > 0 ? 1 : 0);
  return own + std::to_string(first) + (length == 1 ? "" : "," + std::to_string(length));
}

std::string hunk(const std::vector<Step>& steps, std::size_t begin, std::size_t end) {
  std::string text = "@@ " + range(steps, begin, end, '-') + " " + range(steps, begin, end, '+') + " @@\n";
  for (std::size_t i = begin; i < end; ++i) {
    text.append(1, steps[i].mark).append(steps[i].line);
    if (!steps[i].line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
  }
  return text;
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, const std::string& old_name,
                         const std::string& new_name) {
  if (before == after) return {};
  const std::vector<Step> steps = all_steps(lines_of(before), lines_of(after));
  std::string text = "--- " + old_name + "\n+++ " + new_name + "\n";
  const auto changed = [](const Step& step) { return step.mark != ' '; };
  auto next = std::find_if(steps.begin(), steps.end(), changed);
  while (next != steps.end()) {
    const auto first = static_cast<std::size_t>(next - steps.begin());
    std::size_t last = first;
    for (std::size_t i = first; i < steps.size() && i <= last + 2 * context; ++i) {
      if (changed(steps[i])) last = i;
    }
    const std::size_t end = std::min(last + 1 + context, steps.size());
    text += hunk(steps, first - std::min(first, context), end);
    next = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(end), steps.end(), changed);
  }
  return text;
}

}  // namespace cowork_terminal::registration
