#include <nlohmann/json.hpp>
#include <optional>

#include "registration/config_format.hpp"
#include "registration/jsonc_edit.hpp"
#include "registration/jsonc_parser.hpp"

namespace cowork_terminal::registration {
namespace {

using Json = nlohmann::ordered_json;

Launch launch_of(const Json& entry) {
  Launch launch;
  if (!entry.is_object()) return launch;
  if (const auto command = entry.find("command"); command != entry.end() && command->is_string()) {
    launch.command = command->get<std::string>();
  }
  if (const auto args = entry.find("args"); args != entry.end() && args->is_array()) {
    for (const Json& arg : *args) launch.args.push_back(arg.is_string() ? arg.get<std::string>() : arg.dump());
  }
  return launch;
}

class JsonFormat : public ConfigFormat {
 public:
  explicit JsonFormat(const Client& client) : client_(client), key_(client.servers_key) {}

  [[nodiscard]] std::vector<ServerEntry> entries(std::string_view text) const override {
    text = checked_utf8(text);
    const JsoncDocument document = parse_jsonc(text);
    std::vector<ServerEntry> result;
    if (!document.root) return result;
    const Json all = servers(text, *document.root);
    for (const auto& [name, entry] : all.items()) result.push_back({name, launch_of(entry)});
    return result;
  }

  [[nodiscard]] std::string with_entry(std::string_view text, const std::string& name,
                                       const Launch& launch) const override {
    text = checked_utf8(text);
    const std::optional<Json> old = entry(text, name);
    if (!old || !old->is_object()) return set_member(text, {key_, name}, new_entry(launch));
    std::string result(text);
    if (client_.entry_type == EntryType::stdio) result = set_member(result, {key_, name, "type"}, "stdio");
    result = set_member(result, {key_, name, "command"}, launch.command);
    return set_member(result, {key_, name, "args"}, launch.args);
  }

  [[nodiscard]] std::string without_entry(std::string_view text, const std::string& name) const override {
    return remove_member(text, {key_, name});
  }

  [[nodiscard]] std::string remark(std::string_view text) const override {
    if (client_.syntax != ConfigSyntax::plain_json) return {};
    text = checked_utf8(text);
    const JsoncDocument document = parse_jsonc(text);
    if (!document.first_extra) return {};
    return DocumentError(text, *document.first_extra,
                         "a comment or trailing comma, which plain JSON does not have; " + std::string(client_.title) +
                             " may refuse the file")
        .what();
  }

 private:
  [[nodiscard]] Json servers(std::string_view text, const JsoncValue& root) const {
    if (root.kind != JsoncValue::Kind::object) {
      throw DocumentError(text, root.range.begin, "the file must hold an object, { … }");
    }
    const JsoncMember* member = root.find(key_);
    if (member == nullptr) return Json::object();
    if (member->value.kind != JsoncValue::Kind::object) {
      throw DocumentError(text, member->value.range.begin, "the value of \"" + key_ + "\" must be an object, { … }");
    }
    return to_json(text, member->value);
  }

  [[nodiscard]] std::optional<Json> entry(std::string_view text, const std::string& name) const {
    const JsoncDocument document = parse_jsonc(text);
    if (!document.root) return std::nullopt;
    const Json all = servers(text, *document.root);
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional<Json>(*found);
  }

  [[nodiscard]] Json new_entry(const Launch& launch) const {
    Json entry = Json::object();
    if (client_.entry_type == EntryType::stdio) entry["type"] = "stdio";
    entry["command"] = launch.command;
    entry["args"] = launch.args;
    return entry;
  }

  Client client_;
  std::string key_;
};

}  // namespace

std::unique_ptr<ConfigFormat> make_json_format(const Client& client) { return std::make_unique<JsonFormat>(client); }

std::unique_ptr<ConfigFormat> format_of(const Client& client) {
  return client.syntax == ConfigSyntax::toml ? make_toml_format(client) : make_json_format(client);
}

}  // namespace cowork_terminal::registration
