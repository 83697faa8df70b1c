#include "registration/jsonc_layout.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace cowork_terminal::registration {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view blanks = " \t";

std::string_view between(std::string_view text, std::size_t begin, std::size_t end) {
  return text.substr(begin, end - begin);
}

bool is_filled(const JsoncValue& value) { return !value.members.empty() || !value.elements.empty(); }

// The first value that `matches` in `value` and below, in the order of the text.
template <typename Matches>
const JsoncValue* find_value(const JsoncValue& value, const Matches& matches) {
  if (matches(value)) return &value;
  for (const JsoncMember& member : value.members) {
    if (const JsoncValue* found = find_value(member.value, matches)) return found;
  }
  for (const JsoncValue& element : value.elements) {
    if (const JsoncValue* found = find_value(element, matches)) return found;
  }
  return nullptr;
}

// Looks at the neighbours in `around` first, the last of them before the others, then everywhere.
template <typename Matches>
const JsoncValue* find_example(const JsoncDocument& document, const JsoncValue& around, const Matches& matches) {
  for (auto member = around.members.rbegin(); member != around.members.rend(); ++member) {
    if (const JsoncValue* found = find_value(member->value, matches)) return found;
  }
  if (matches(around)) return &around;
  return find_value(*document.root, matches);
}

// What the members of `object` are indented by beyond the line of its brace.
std::optional<std::string> indent_in(std::string_view text, const JsoncValue& object) {
  if (object.kind != JsoncValue::Kind::object || object.members.empty()) return std::nullopt;
  const std::size_t key = object.members.front().key_range.begin;
  if (!starts_its_line(text, key)) return std::nullopt;
  const std::string outer = margin_of_line(text, object.range.begin);
  const std::string inner = margin_of_line(text, key);
  if (!inner.starts_with(outer) || inner.size() == outer.size()) return std::nullopt;
  return inner.substr(outer.size());
}

bool object_on_lines(std::string_view text, const JsoncDocument& document, const JsoncValue& object) {
  for (auto member = object.members.rbegin(); member != object.members.rend(); ++member) {
    if (member->value.kind == JsoncValue::Kind::object && is_filled(member->value))
      return is_on_lines(text, member->value);
  }
  if (!object.members.empty() || is_on_lines(text, object)) return is_on_lines(text, object);
  return !is_filled(*document.root) || is_on_lines(text, *document.root);
}

std::optional<std::string> colon_of(std::string_view text, const JsoncMember& member) {
  const std::string_view colon = between(text, member.key_range.end, member.value.range.begin);
  if (colon.size() > 4 || colon.find_first_not_of(" :") != std::string_view::npos) return std::nullopt;
  return std::string(colon);
}

std::optional<std::string> comma_of(std::string_view text, const JsoncValue& object) {
  if (object.members.size() < 2 || !object.members.front().comma) return std::nullopt;
  const std::string_view comma = between(text, *object.members.front().comma, object.members[1].key_range.begin);
  if (comma.find_first_not_of(" ,") != std::string_view::npos) return std::nullopt;
  return std::string(comma);
}

std::optional<std::string> padding_of(std::string_view text, const JsoncValue& object) {
  if (object.members.empty() || is_on_lines(text, object)) return std::nullopt;
  const std::string_view padding = between(text, object.range.begin + 1, object.members.front().key_range.begin);
  if (padding.find_first_not_of(' ') != std::string_view::npos) return std::nullopt;
  return std::string(padding);
}

class Formatter {
 public:
  explicit Formatter(const JsoncLayout& layout) : layout_(layout) {}

  [[nodiscard]] std::string format(const Json& value, const std::string& margin) const {
    if (!value.is_structured() || value.empty()) return value.dump();
    const bool object = value.is_object();
    const bool lines = object ? layout_.object_on_lines : layout_.object_on_lines && layout_.array_on_lines;
    const std::string inner = lines ? margin + layout_.indent : margin;
    const std::string edge = object ? layout_.padding : "";
    std::string text(1, object ? '{' : '[');
    std::string separator = lines ? layout_.line_break + inner : edge;
    for (const auto& [key, element] : value.items()) {
      text += separator;
      if (object) text += Json(key).dump() + layout_.colon;
      text += format(element, inner);
      separator = lines ? "," + layout_.line_break + inner : layout_.comma;
    }
    text += lines ? layout_.line_break + margin : edge;
    text += object ? '}' : ']';
    return text;
  }

 private:
  const JsoncLayout& layout_;
};

}  // namespace

JsoncLayout layout_for(std::string_view text, const JsoncDocument& document, const JsoncValue& object) {
  JsoncLayout layout;
  layout.line_break = line_break_of(text);
  layout.object_on_lines = object_on_lines(text, document, object);

  const auto array = find_example(document, object, [](const JsoncValue& value) { return !value.elements.empty(); });
  if (array != nullptr) layout.array_on_lines = is_on_lines(text, *array);

  const auto example = [&](const auto& property_of) {
    const JsoncValue* found =
        find_example(document, object, [&](const JsoncValue& value) { return property_of(value).has_value(); });
    return found == nullptr ? std::nullopt : property_of(*found);
  };
  layout.indent = example([&](const JsoncValue& value) { return indent_in(text, value); }).value_or(layout.indent);
  layout.colon = example([&](const JsoncValue& value) {
                   return value.members.empty() ? std::nullopt : colon_of(text, value.members.front());
                 }).value_or(layout.colon);
  layout.comma = example([&](const JsoncValue& value) {
                   return comma_of(text, value);
                 }).value_or(layout.colon.ends_with(' ') ? ", " : ",");
  layout.padding = example([&](const JsoncValue& value) { return padding_of(text, value); }).value_or("");
  return layout;
}

std::string format_json(const Json& value, const JsoncLayout& layout, const std::string& margin) {
  return Formatter(layout).format(value, margin);
}

std::string margin_of_line(std::string_view text, std::size_t offset) {
  const std::size_t line_break = offset == 0 ? std::string_view::npos : text.find_last_of("\r\n", offset - 1);
  const std::size_t begin = line_break == std::string_view::npos ? 0 : line_break + 1;
  const std::size_t end = std::min(text.find_first_not_of(blanks, begin), text.size());
  return std::string(between(text, begin, std::min(end, std::max(offset, begin))));
}

bool starts_its_line(std::string_view text, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string_view::npos : text.find_last_not_of(blanks, offset - 1);
  return before == std::string_view::npos || text[before] == '\n' || text[before] == '\r';
}

bool is_on_lines(std::string_view text, const JsoncValue& container) {
  std::size_t from = container.range.begin;
  const auto breaks_before = [&](std::size_t to) {
    return between(text, from, to).find_first_of("\r\n") != std::string_view::npos;
  };
  for (const JsoncMember& member : container.members) {
    if (breaks_before(member.key_range.begin)) return true;
    from = member.value.range.end;
  }
  for (const JsoncValue& element : container.elements) {
    if (breaks_before(element.range.begin)) return true;
    from = element.range.end;
  }
  return breaks_before(container.range.end);
}

std::size_t end_of_comments_on_line(std::string_view text, std::size_t offset) {
  std::size_t end = offset;
  while (true) {
    const std::size_t next = std::min(text.find_first_not_of(blanks, end), text.size());
    if (next == text.size() || text[next] == '\r' || text[next] == '\n') return next;
    const std::string_view rest = text.substr(next);
    if (rest.starts_with("//")) return std::min(text.find_first_of("\r\n", next), text.size());
    if (!rest.starts_with("/*")) return end;
    end = text.find("*/", next + 2) + 2;
  }
}

}  // namespace cowork_terminal::registration
