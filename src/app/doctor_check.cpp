#include "app/doctor_check.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cowork_terminal::app {

namespace {

using nlohmann::json;

const char* sign_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return "\u2713";
    case Verdict::remark:
      return "!";
    case Verdict::broken:
      return "\u2717";
  }
  return "?";
}

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return "ok";
    case Verdict::remark:
      return "remark";
    case Verdict::broken:
      return "broken";
  }
  return "?";
}

// Later lines of a text stand under its first.
std::string indented(const std::string& text) {
  std::string result;
  for (const char character : text) {
    result += character;
    if (character == '\n') result += "    ";
  }
  return result;
}

}  // namespace

std::string as_text(const std::vector<Check>& checks) {
  std::string text;
  for (const auto& check : checks) {
    text += std::string(sign_of(check.verdict)) + " " + check.name + ": " + indented(check.finding) + "\n";
    if (!check.remedy.empty()) text += "    " + indented(check.remedy) + "\n";
  }
  return text;
}

std::string as_json(const std::vector<Check>& checks) {
  auto list = json::array();
  for (const auto& check : checks) {
    json entry{{"check", check.name}, {"verdict", word_of(check.verdict)}, {"finding", check.finding}};
    if (!check.remedy.empty()) entry["remedy"] = check.remedy;
    list.push_back(std::move(entry));
  }
  return json{{"checks", std::move(list)}, {"ok", !anything_broken(checks)}}.dump(2, ' ', false,
                                                                                  json::error_handler_t::replace) +
         "\n";
}

bool anything_broken(const std::vector<Check>& checks) {
  return std::any_of(checks.begin(), checks.end(), [](const Check& check) { return check.verdict == Verdict::broken; });
}

}  // namespace cowork_terminal::app
