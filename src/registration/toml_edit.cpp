#include "registration/toml_edit.hpp"

#include <algorithm>
#include <optional>

namespace cowork_terminal::registration {
namespace {

std::string joined(const TomlKey& key) {
  std::string text;
  for (const std::string& part : key) text += (text.empty() ? "" : ".") + format_toml_key(part);
  return text;
}

bool begins_with(const TomlKey& key, const TomlKey& prefix) {
  return key.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), key.begin());
}

// Whether the assignment `key` defines something in the table `path` without a header: the table or one above it as a
// value, or a key inside of it by dots.
bool defines_by_assignment(const TomlKey& table, const TomlKey& key, const TomlKey& path) {
  if (table == path) return false;
  TomlKey whole = table;
  whole.insert(whole.end(), key.begin(), key.end());
  return begins_with(path, whole) || (begins_with(whole, path) && !begins_with(table, path));
}

void refuse_other_forms(std::string_view text, const std::vector<TomlStatement>& statements, const TomlKey& path) {
  const std::string header = "[" + joined(path) + "]";
  TomlKey table;
  bool seen = false;
  for (const TomlStatement& statement : statements) {
    const std::size_t at = statement.key_range.begin;
    if (statement.kind == TomlStatement::Kind::assignment) {
      if (!defines_by_assignment(table, statement.key, path)) continue;
      throw DocumentError(text, at,
                          "this defines " + joined(path) + " in another form than a table under the header " + header +
                              "; rewrite it as one, then try again");
    }
    table = statement.key;
    if (statement.kind == TomlStatement::Kind::array_of_tables && begins_with(path, table)) {
      throw DocumentError(text, at, "[[" + joined(table) + "]] is a list here, but must be a table");
    }
    if (table != path) continue;
    if (seen) throw DocumentError(text, at, header + " is there twice; take one of them out");
    seen = true;
  }
}

const TomlStatement& last_of(const TomlTable& table) {
  return table.assignments.empty() ? *table.header : *table.assignments.back();
}

std::string blanks_at(std::string_view text, std::size_t begin) {
  const std::size_t end = std::min(text.find_first_not_of(" \t", begin), text.size());
  return std::string(text.substr(begin, end - begin));
}

// The text between the key and the value, as in the other assignments of the table.
std::string equals_sign_in(std::string_view text, const TomlTable& table) {
  if (table.assignments.empty()) return " = ";
  const TomlStatement& model = *table.assignments.front();
  const std::size_t end = model.key_range.end;
  return std::string(text.substr(end, model.value.range.begin - end));
}

std::string with_new_table(std::string_view text, const TomlKey& path, const std::vector<TomlAssignment>& assignments) {
  const std::string line_break = line_break_of(text);
  std::string table = "[" + joined(path) + "]";
  for (const auto& [key, value] : assignments) table += line_break + format_toml_key(key) + " = " + value;
  if (text.empty()) return table + line_break;
  // Text without a line break at its end stays so: it can then be restored exactly.
  if (!text.ends_with('\n')) return std::string(text) + line_break + line_break + table;
  return std::string(text) + line_break + table + line_break;
}

std::string set_key(std::string_view text, const TomlKey& path, const TomlAssignment& assignment) {
  const std::vector<TomlStatement> statements = parse_toml(text);
  const std::vector<TomlTable> tables = tables_of(statements);
  const auto table =
      std::find_if(tables.begin(), tables.end(), [&](const TomlTable& t) { return t.header->key == path; });
  const auto& [key, value] = assignment;
  for (const TomlStatement* old : table->assignments) {
    if (old->key != TomlKey{key}) continue;
    const TextRange range = old->value.range;
    return std::string(text.substr(0, range.begin)).append(value).append(text.substr(range.end));
  }
  const TomlStatement& last = last_of(*table);
  const std::string line_break = line_break_of(text);
  std::string line = blanks_at(text, last.lines.begin) + format_toml_key(key) + equals_sign_in(text, *table) + value;
  line = text.substr(0, last.lines.end).ends_with('\n') ? line + line_break : line_break + line;
  return std::string(text).insert(last.lines.end, line);
}

// The blank line that belongs to a table, above it. At the end of a text without a line break that of the line before,
// too.
std::size_t begin_with_blank_line(std::string_view text, TextRange lines) {
  const auto back_over_break = [&](std::size_t at) -> std::size_t {
    if (at == 0 || text[at - 1] != '\n') return at;
    return at > 1 && text[at - 2] == '\r' ? at - 2 : at - 1;
  };
  const std::size_t before = back_over_break(lines.begin);
  const bool blank_line = before != lines.begin && back_over_break(before) != before;
  if (!blank_line) return lines.begin;
  return text.substr(0, lines.end).ends_with('\n') ? before : back_over_break(before);
}

}  // namespace

std::string set_in_table(std::string_view text, const TomlKey& path, const std::vector<TomlAssignment>& assignments) {
  text = checked_utf8(text);
  const std::vector<TomlStatement> statements = parse_toml(text);
  refuse_other_forms(text, statements, path);
  const bool there = std::any_of(statements.begin(), statements.end(), [&](const TomlStatement& statement) {
    return statement.kind == TomlStatement::Kind::table && statement.key == path;
  });
  if (!there) return with_new_table(text, path, assignments);
  std::string result(text);
  for (const TomlAssignment& assignment : assignments) result = set_key(result, path, assignment);
  return result;
}

std::string remove_table(std::string_view text, const TomlKey& path) {
  text = checked_utf8(text);
  const std::vector<TomlStatement> statements = parse_toml(text);
  refuse_other_forms(text, statements, path);
  std::string result;
  std::size_t kept = 0;
  for (const TomlTable& table : tables_of(statements)) {
    if (!begins_with(table.header->key, path)) continue;
    const TextRange lines{table.header->lines.begin, last_of(table).lines.end};
    const std::size_t begin = std::max(kept, begin_with_blank_line(text, lines));
    result += text.substr(kept, begin - kept);
    kept = lines.end;
  }
  return result += text.substr(kept);
}

std::vector<TomlTable> tables_of(const std::vector<TomlStatement>& statements) {
  std::vector<TomlTable> tables;
  for (const TomlStatement& statement : statements) {
    if (statement.kind != TomlStatement::Kind::assignment) {
      tables.push_back({&statement, {}});
    } else if (!tables.empty()) {
      tables.back().assignments.push_back(&statement);
    }
  }
  return tables;
}

}  // namespace cowork_terminal::registration
