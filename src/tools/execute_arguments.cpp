#include <algorithm>
#include <cmath>
#include <cowork_terminal/tools/execute_arguments.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

namespace cowork_terminal::tools {

namespace {

using nlohmann::json;

// A signed 32-bit count of ms, the longest that timers of every client accept (contract §2).
constexpr double longest_timeout_ms = 2'147'483'647.0;

constexpr std::string_view timeout_rule = "`timeout` must be a number of milliseconds greater than 0, e.g. 60000.";

bool holds_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

std::string in_ticks(std::string_view text) { return "`" + std::string(text) + "`"; }

// What ECMA-262 calls white space or a line terminator: the complement of the `\S` in the input schema.
std::size_t white_space_length(std::string_view text) {
  static constexpr std::string_view multibyte[] = {"\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004",
                                                   "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u2028",
                                                   "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"};
  if (std::string_view(" \t\n\v\f\r").find(text.front()) != std::string_view::npos) return 1;
  for (const auto space : multibyte) {
    if (text.substr(0, space.size()) == space) return space.size();
  }
  return 0;
}

bool is_blank(std::string_view text) {
  while (!text.empty()) {
    const auto length = white_space_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

Timeout to_timeout(double milliseconds) {
  const auto kept = std::min(std::ceil(milliseconds), longest_timeout_ms);
  return {std::chrono::milliseconds(static_cast<std::int64_t>(kept)), milliseconds > longest_timeout_ms};
}

std::variant<std::string, Refusal> parse_command(const json& arguments) {
  const auto member = arguments.find("command");
  if (member == arguments.end() || member->is_null())
    return Refusal{"`command` is missing: give the bash command to run as a string."};
  if (!member->is_string()) return Refusal{"`command` must be a string: the bash command to run."};
  const auto& text = member->get_ref<const std::string&>();
  if (is_blank(text)) return Refusal{"`command` is blank: give the bash command to run."};
  if (holds_nul(text)) return Refusal{"`command` holds a NUL character, which no program can be given. Remove it."};
  return text;
}

std::variant<std::string, Refusal> parse_working_directory(const json& arguments) {
  const auto member = arguments.find("cwd");
  if (member == arguments.end() || member->is_null()) return std::string();
  if (!member->is_string()) return Refusal{"`cwd` must be a string: the path of an existing directory."};
  const auto& text = member->get_ref<const std::string&>();
  if (holds_nul(text)) return Refusal{"`cwd` holds a NUL character, which no path can. Remove it."};
  return text;
}

std::variant<std::optional<Timeout>, Refusal> parse_timeout(const json& arguments) {
  const auto member = arguments.find("timeout");
  if (member == arguments.end() || member->is_null()) return std::optional<Timeout>();
  if (member->is_number()) {
    const auto milliseconds = member->get<double>();
    if (milliseconds > 0) return std::optional(to_timeout(milliseconds));
  } else if (member->is_string()) {
    if (const auto timeout = parse_timeout_text(member->get_ref<const std::string&>())) return timeout;
  }
  return Refusal{std::string(timeout_rule)};
}

using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

std::variant<Variables, Refusal> parse_environment(const json& arguments) {
  const auto member = arguments.find("env");
  if (member == arguments.end() || member->is_null()) return Variables();
  if (!member->is_object())
    return Refusal{"`env` must be an object whose values are strings, e.g. {\"NAME\": \"value\"}."};
  Variables variables;
  for (const auto& [name, value] : member->items()) {
    if (auto why = refuse_variable_name(name); !why.empty()) return Refusal{std::move(why)};
    if (value.is_null()) {
      variables.emplace_back(name, std::nullopt);
    } else if (value.is_string()) {
      const auto& text = value.get_ref<const std::string&>();
      if (holds_nul(text))
        return Refusal{"`env`: the value of " + in_ticks(name) + " holds a NUL character. Remove it."};
      variables.emplace_back(name, text);
    } else if (value.is_number() || value.is_boolean()) {
      variables.emplace_back(name, value.dump());
    } else {
      return Refusal{"`env`: the value of " + in_ticks(name) + " must be a string."};
    }
  }
  return variables;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string refuse_variable_name(std::string_view name) {
  if (name.empty()) return "`env` holds an empty name. Give every variable a name.";
  if (name.find('=') != std::string_view::npos)
    return "`env`: the name " + in_ticks(name) + " holds a `=`, which no variable name can.";
  if (holds_nul(name)) return "`env` holds a name with a NUL character. Remove it.";
  return {};
}

std::optional<Timeout> parse_timeout_text(std::string_view text) {
  double milliseconds = 0;
  std::size_t at = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) milliseconds = milliseconds * 10 + (text[at] - '0');
  if (at == 0) return std::nullopt;
  if (at < text.size()) {
    if (text[at] != '.' || at + 1 == text.size()) return std::nullopt;
    // Rounded up in the end, so all that counts is whether the fraction is above 0.
    bool fraction = false;
    for (++at; at < text.size(); ++at) {
      if (!is_digit(text[at])) return std::nullopt;
      fraction = fraction || text[at] != '0';
    }
    if (fraction) milliseconds = std::floor(milliseconds) + 1;
  }
  if (!(milliseconds > 0)) return std::nullopt;
  return to_timeout(milliseconds);
}

std::variant<ExecuteArguments, Refusal> parse_execute_arguments(const json& arguments) {
  ExecuteArguments parsed;
  auto command = parse_command(arguments);
  if (auto* refusal = std::get_if<Refusal>(&command)) return std::move(*refusal);
  parsed.command = std::get<std::string>(std::move(command));

  auto directory = parse_working_directory(arguments);
  if (auto* refusal = std::get_if<Refusal>(&directory)) return std::move(*refusal);
  parsed.working_directory = std::get<std::string>(std::move(directory));

  const auto timeout = parse_timeout(arguments);
  if (const auto* refusal = std::get_if<Refusal>(&timeout)) return *refusal;
  parsed.timeout = std::get<std::optional<Timeout>>(timeout);

  auto environment = parse_environment(arguments);
  if (auto* refusal = std::get_if<Refusal>(&environment)) return std::move(*refusal);
  parsed.environment = std::get<Variables>(std::move(environment));
  return parsed;
}

}  // namespace cowork_terminal::tools
