#include "mcp/question_form.hpp"

#include <algorithm>
#include <cowork_terminal/jsonrpc/message.hpp>
#include <cstddef>
#include <string>

namespace cowork_terminal::mcp {

namespace {

using nlohmann::json;

// A person types or clicks this; anything larger is no answer to a form.
constexpr std::size_t largest_content = 256 * 1'024;

void titles_to_enum_names(json& property) {
  json values = json::array();
  json names = json::array();
  for (const auto& choice : property.at("oneOf")) {
    values.push_back(choice.at("const"));
    names.push_back(choice.value("title", choice.at("const").get<std::string>()));
  }
  property.erase("oneOf");
  property["enum"] = std::move(values);
  property["enumNames"] = std::move(names);
}

void enum_names_to_titles(json& property) {
  json choices = json::array();
  const auto& values = property.at("enum");
  const auto& names = property.at("enumNames");
  for (std::size_t i = 0; i < values.size(); ++i)
    choices.push_back({{"const", values[i]}, {"title", i < names.size() ? names[i] : values[i]}});
  property.erase("enum");
  property.erase("enumNames");
  property["oneOf"] = std::move(choices);
}

// Revision 2025-06-18: one choice only, its titles in enumNames, defaults of booleans only, no patterns.
bool reword_basic(json& property) {
  if (property.value("type", "") == "array") return false;
  if (property.contains("oneOf")) titles_to_enum_names(property);
  if (property.value("type", "") != "boolean") property.erase("default");
  property.erase("pattern");
  return true;
}

std::size_t characters(const std::string& utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool within(const json& schema, const char* minimum, const char* maximum, double value) {
  if (const auto least = schema.find(minimum); least != schema.end() && value < least->get<double>()) return false;
  if (const auto most = schema.find(maximum); most != schema.end() && value > most->get<double>()) return false;
  return true;
}

bool is_offered(const json& schema, const json& value) {
  if (const auto values = schema.find("enum"); values != schema.end())
    return std::find(values->begin(), values->end(), value) != values->end();
  for (const char* list : {"oneOf", "anyOf"})
    if (const auto choices = schema.find(list); choices != schema.end())
      return std::any_of(choices->begin(), choices->end(),
                         [&](const json& choice) { return choice.at("const") == value; });
  return true;
}

bool is_whole(const json& value) {
  if (value.is_number_integer()) return true;
  if (!value.is_number_float()) return false;
  // JSON Schema 2020-12, section 6.1.1: 2.0 is an integer.
  const auto number = value.get<double>();
  return number >= -9007199254740992.0 && number <= 9007199254740992.0 &&
         number == static_cast<double>(static_cast<long long>(number));
}

bool conforms(const json& schema, const json& value) {
  const auto type = schema.value("type", "string");
  if (type == "boolean") return value.is_boolean();
  if (type == "integer" && !is_whole(value)) return false;
  if (type == "number" || type == "integer")
    return value.is_number() && within(schema, "minimum", "maximum", value.get<double>());
  if (type == "array")
    return value.is_array() && within(schema, "minItems", "maxItems", static_cast<double>(value.size())) &&
           std::all_of(value.begin(), value.end(),
                       [&](const json& item) { return item.is_string() && is_offered(schema.at("items"), item); });
  return value.is_string() &&
         within(schema, "minLength", "maxLength",
                static_cast<double>(characters(value.get_ref<const std::string&>()))) &&
         is_offered(schema, value);
}

}  // namespace

std::optional<json> form_in(FormDialect dialect, const json& schema) {
  if (dialect == FormDialect::none) return std::nullopt;
  auto form = schema;
  for (auto& property : form.at("properties")) {
    if (dialect == FormDialect::basic && !reword_basic(property)) return std::nullopt;
    if (dialect == FormDialect::modern && property.contains("enumNames")) enum_names_to_titles(property);
  }
  return form;
}

std::optional<json> conforming_content(const json& schema, const json& content) {
  if (!content.is_object()) return std::nullopt;
  if (const auto required = schema.find("required"); required != schema.end())
    for (const auto& name : *required)
      if (!content.contains(name.get_ref<const std::string&>())) return std::nullopt;

  json known = json::object();
  for (const auto& [name, property] : schema.at("properties").items()) {
    const auto value = content.find(name);
    if (value == content.end()) continue;
    if (!conforms(property, *value)) return std::nullopt;
    known[name] = *value;
  }
  if (jsonrpc::serialize(known).size() > largest_content) return std::nullopt;
  return known;
}

std::optional<Answer> read_answer(const json& elicit_result, const json& schema) {
  if (!elicit_result.is_object()) return std::nullopt;
  const auto action = elicit_result.find("action");
  if (action == elicit_result.end() || !action->is_string()) return std::nullopt;
  if (*action == "decline") return Declined{};
  // Clients answer so, too, when there is nobody before the screen: not a no.
  if (*action == "cancel") return Unanswered{"the question was closed without a choice, or there was nobody to ask"};
  if (*action != "accept") return std::nullopt;
  const auto content = elicit_result.find("content");
  auto conforming = conforming_content(schema, content == elicit_result.end() ? json::object() : *content);
  if (!conforming) return std::nullopt;
  return Accepted{std::move(*conforming)};
}

}  // namespace cowork_terminal::mcp
