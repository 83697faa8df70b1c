#include "registration/jsonc_edit.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "registration/jsonc_layout.hpp"
#include "registration/jsonc_parser.hpp"

namespace cowork_terminal::registration {
namespace {

using Json = nlohmann::ordered_json;
using Path = std::span<const std::string>;

constexpr std::string_view whitespace = " \t\r\n";

std::string_view between(std::string_view text, TextRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

std::string without(std::string_view text, std::vector<TextRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](TextRange a, TextRange b) { return a.begin < b.begin; });
  std::string result;
  std::size_t from = 0;
  for (const TextRange& range : ranges) {
    result += between(text, {from, range.begin});
    from = range.end;
  }
  return result += text.substr(from);
}

std::string replaced(std::string_view text, TextRange range, std::string_view with) {
  return std::string(text.substr(0, range.begin)).append(with).append(text.substr(range.end));
}

Json nested(Path path, Json value) {
  for (auto key = path.rbegin(); key != path.rend(); ++key) value = Json::object({{*key, std::move(value)}});
  return value;
}

struct Place {
  const JsoncValue* object;  // the innermost object that is there
  Path missing;              // what is missing below it, the member itself included
};

Place find_place(std::string_view text, const JsoncValue& root, Path path) {
  const JsoncValue* object = &root;
  if (object->kind != JsoncValue::Kind::object) {
    throw DocumentError(text, object->range.begin, "the file must hold an object, { … }");
  }
  while (path.size() > 1) {
    const JsoncMember* member = object->find(path.front());
    if (member == nullptr) break;
    if (member->value.kind != JsoncValue::Kind::object) {
      throw DocumentError(text, member->value.range.begin,
                          "the value of \"" + member->key + "\" must be an object, { … }");
    }
    object = &member->value;
    path = path.subspan(1);
  }
  return {object, path};
}

std::string new_document(std::string_view text, const Json& value) {
  JsoncLayout layout;
  layout.line_break = line_break_of(text);
  const std::string object = format_json(value, layout, "") + layout.line_break;
  if (text.find_first_not_of(whitespace) == std::string_view::npos) return object;
  return std::string(text) + (text.ends_with('\n') ? "" : layout.line_break) + object;
}

std::string margin_of_members(std::string_view text, const JsoncValue& object, const JsoncLayout& layout) {
  for (auto member = object.members.rbegin(); member != object.members.rend(); ++member) {
    if (starts_its_line(text, member->key_range.begin)) return margin_of_line(text, member->key_range.begin);
  }
  return margin_of_line(text, object.range.begin) + layout.indent;
}

std::string format_member(const std::string& key, const Json& value, const JsoncLayout& layout,
                          const std::string& margin) {
  return Json(key).dump() + layout.colon + format_json(value, layout, margin);
}

std::string add_to_empty(std::string_view text, const JsoncValue& object, const JsoncLayout& layout,
                         const std::string& key, const Json& value) {
  const std::string outer = margin_of_line(text, object.range.begin);
  const std::string inner = outer + layout.indent;
  const TextRange inside{object.range.begin + 1, object.range.end - 1};
  const std::size_t last = between(text, inside).find_last_not_of(whitespace);
  if (last == std::string_view::npos) {
    if (!layout.object_on_lines) {
      return replaced(text, inside, layout.padding + format_member(key, value, layout, outer) + layout.padding);
    }
    return replaced(text, inside,
                    layout.line_break + inner + format_member(key, value, layout, inner) + layout.line_break + outer);
  }
  const std::size_t behind_comment = inside.begin + last + 1;
  if (!is_on_lines(text, object)) {
    return replaced(text, {behind_comment, behind_comment}, " " + format_member(key, value, layout, outer));
  }
  return replaced(text, {behind_comment, behind_comment},
                  layout.line_break + inner + format_member(key, value, layout, inner));
}

std::string add_member(std::string_view text, const JsoncDocument& document, const JsoncValue& object,
                       const std::string& key, const Json& value) {
  JsoncLayout layout = layout_for(text, document, object);
  if (object.members.empty()) return add_to_empty(text, object, layout, key, value);

  const JsoncMember& last = object.members.back();
  const std::size_t end = last.value.range.end;
  const std::string own_comma = last.comma ? "," : "";
  const std::size_t behind = last.comma ? *last.comma + 1 : end;
  if (!is_on_lines(text, object)) {
    layout.object_on_lines = false;
    const std::string member = format_member(key, value, layout, "");
    const std::string separator = last.comma ? layout.comma.substr(layout.comma.find(',') + 1) : layout.comma;
    return replaced(text, {behind, behind}, separator + member + own_comma);
  }
  const std::string margin = margin_of_members(text, object, layout);
  const std::size_t at = end_of_comments_on_line(text, behind);
  std::string result =
      replaced(text, {at, at}, layout.line_break + margin + format_member(key, value, layout, margin) + own_comma);
  return last.comma ? result : result.insert(end, ",");
}

// A line comment stands directly before `offset`: what follows must not move up to its line.
bool follows_line_comment(std::string_view text, TextRange gap) {
  bool line_comment = false;
  for (std::size_t at = gap.begin; at < gap.end;) {
    const std::string_view rest = between(text, {at, gap.end});
    if (rest.starts_with("//")) {
      at += std::min(rest.find_first_of("\r\n"), rest.size());
      line_comment = true;
    } else if (rest.starts_with("/*")) {
      at += rest.find("*/", 2) + 2;
      line_comment = false;
    } else {
      ++at;
    }
  }
  return line_comment;
}

// The blanks before `key`, and the line break before those.
std::size_t begin_of_own_line(std::string_view text, std::size_t key) {
  std::size_t begin = text.find_last_not_of(" \t", key - 1) + 1;
  if (begin > 0 && text[begin - 1] == '\n') --begin;
  if (begin > 0 && text[begin - 1] == '\r') --begin;
  return begin;
}

std::string remove_member_at(std::string_view text, const JsoncValue& object, std::size_t index) {
  const JsoncMember& member = object.members[index];
  const JsoncMember* before = index > 0 ? &object.members[index - 1] : nullptr;
  const bool last = index + 1 == object.members.size();
  const std::size_t key = member.key_range.begin;
  const std::size_t end = member.value.range.end;
  const std::size_t behind = member.comma ? *member.comma + 1 : end;
  const std::size_t rest = std::min(text.find_first_not_of(" \t", behind), text.size());
  const bool ends_line = rest == text.size() || text[rest] == '\r' || text[rest] == '\n';
  const bool comment_behind = rest < text.size() && text[rest] == '/';

  const TextRange inside{object.range.begin + 1, object.range.end - 1};
  if (object.members.size() == 1 &&
      (std::string(between(text, {inside.begin, key})) + std::string(between(text, {end, member.comma.value_or(end)})) +
       std::string(between(text, {behind, inside.end})))
              .find_first_not_of(whitespace) == std::string::npos) {
    return replaced(text, inside, "");
  }

  const std::size_t gap = before == nullptr ? inside.begin : before->comma.value_or(before->value.range.end);
  const bool line_must_stay = comment_behind || (follows_line_comment(text, {gap, key}) && !ends_line);
  std::vector<TextRange> removed;
  if (!starts_its_line(text, key)) {
    removed.push_back({last ? text.find_last_not_of(" \t", key - 1) + 1 : key, end});
  } else {
    removed.push_back({line_must_stay || (!last && !ends_line) ? key : begin_of_own_line(text, key), end});
  }
  if (member.comma) {
    const bool next_moves_up = !last && !ends_line && !comment_behind;
    removed.push_back({*member.comma, next_moves_up ? rest : behind});
  } else if (before != nullptr) {
    removed.push_back({*before->comma, *before->comma + 1});
  }
  return without(text, std::move(removed));
}

}  // namespace

std::string set_member(std::string_view text, const std::vector<std::string>& path, const Json& value) {
  text = checked_utf8(text);
  const JsoncDocument document = parse_jsonc(text);
  if (!document.root) return new_document(text, nested(path, value));

  const auto [object, missing] = find_place(text, *document.root, path);
  const JsoncMember* member = missing.size() == 1 ? object->find(missing.front()) : nullptr;
  if (member == nullptr) {
    return add_member(text, document, *object, missing.front(), nested(missing.subspan(1), value));
  }
  if (to_json(text, member->value) == value) return std::string(text);
  const std::string margin = margin_of_line(text, member->key_range.begin);
  JsoncLayout layout = layout_for(text, document, *object);
  layout.object_on_lines = layout.object_on_lines && is_on_lines(text, *object);
  return replaced(text, member->value.range, format_json(value, layout, margin));
}

std::string remove_member(std::string_view text, const std::vector<std::string>& path) {
  std::string result(checked_utf8(text));
  while (true) {
    const JsoncDocument document = parse_jsonc(result);
    if (!document.root) return result;
    const auto [object, missing] = find_place(result, *document.root, path);
    const JsoncMember* member = missing.size() == 1 ? object->find(missing.front()) : nullptr;
    if (member == nullptr) return result;
    result = remove_member_at(result, *object, static_cast<std::size_t>(member - object->members.data()));
  }
}

}  // namespace cowork_terminal::registration
