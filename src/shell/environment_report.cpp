#include "shell/environment_report.hpp"

#include <algorithm>
#include <random>

namespace cowork_terminal::shell {

namespace {

constexpr std::string_view replacement_character = "\xef\xbf\xbd";

// The two halves stand apart in the command, so that a shell that echoes its commands does not print the mark.
std::string halves(std::string_view mark) {
  const auto middle = mark.size() / 2;
  return std::string{mark.substr(0, middle)} + ' ' + std::string{mark.substr(middle)};
}

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_name(std::string_view text) {
  return !text.empty() && is_name_start(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_name_start(c) || (c >= '0' && c <= '9'); });
}

void add_variable(process::Environment& environment, std::string_view entry) {
  const auto equals = entry.find('=');
  if (equals == std::string_view::npos || !is_name(entry.substr(0, equals))) return;
  if (entry.find(replacement_character) != std::string_view::npos) return;
  environment.set(entry.substr(0, equals), entry.substr(equals + 1));
}

}  // namespace

std::vector<std::string> report_command(const std::string& shell, ShellStart start, std::string_view mark) {
  // Single quotes and absolute paths mean the same to bash, zsh, fish, dash, tcsh, ksh and nu. An older env of macOS
  // knows no -0; it separates by newlines.
  const std::string print_mark = "printf %s%s " + halves(mark);
  const std::string report =
      "/bin/sh -c '" + print_mark + "; /usr/bin/env -0 2>/dev/null || /usr/bin/env; " + print_mark + "'";
  // csh takes -l only when it is alone.
  if (shell.ends_with("csh")) return {shell, "-c", report};
  if (start == ShellStart::login) return {shell, "-l", "-c", report};
  return {shell, "-l", "-i", "-c", report};
}

std::string new_report_mark() {
  constexpr std::string_view digits = "0123456789abcdef";
  std::random_device random;
  std::string mark;
  while (mark.size() < 32) mark += digits[random() % digits.size()];
  return mark;
}

std::optional<process::Environment> parse_report(std::string_view output, std::string_view mark) {
  const auto start = output.find(mark);
  if (start == std::string_view::npos) return std::nullopt;
  output.remove_prefix(start + mark.size());
  const auto end = output.find(mark);
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view report = output.substr(0, end);

  const char separator = report.find('\0') == std::string_view::npos ? '\n' : '\0';
  process::Environment environment;
  while (!report.empty()) {
    const auto length = std::min(report.find(separator), report.size());
    add_variable(environment, report.substr(0, length));
    report.remove_prefix(std::min(length + 1, report.size()));
  }
  if (environment.variables().empty()) return std::nullopt;
  return environment;
}

}  // namespace cowork_terminal::shell
