#include <algorithm>

#include "registration/config_format.hpp"
#include "registration/toml_edit.hpp"
#include "registration/toml_parser.hpp"

namespace cowork_terminal::registration {
namespace {

class TomlFormat : public ConfigFormat {
 public:
  explicit TomlFormat(const Client& client) : key_(client.servers_key) {}

  [[nodiscard]] std::vector<ServerEntry> entries(std::string_view text) const override {
    const std::vector<TomlStatement> statements = parse_toml(checked_utf8(text));
    std::vector<ServerEntry> result;
    for (const TomlTable& table : tables_of(statements)) {
      const TomlKey& key = table.header->key;
      if (key.size() == 2 && key.front() == key_) result.push_back({key.back(), launch_of(table)});
    }
    return result;
  }

  [[nodiscard]] std::string with_entry(std::string_view text, const std::string& name,
                                       const Launch& launch) const override {
    text = checked_utf8(text);
    std::vector<TomlAssignment> assignments;
    const std::vector<TomlStatement> statements = parse_toml(text);
    const auto is_set = [&](const std::string& key, const auto& matches) {
      const std::vector<TomlTable> tables = tables_of(statements);
      const auto table = std::find_if(tables.begin(), tables.end(), [&](const TomlTable& t) {
        return t.header->key == TomlKey{key_, name};
      });
      return table != tables.end() &&
             std::any_of(table->assignments.begin(), table->assignments.end(), [&](const TomlStatement* statement) {
               return statement->key == TomlKey{key} && matches(statement->value);
             });
    };
    if (!is_set("command", [&](const TomlValue& value) { return value.text == launch.command; })) {
      assignments.emplace_back("command", format_toml(launch.command));
    }
    if (!is_set("args", [&](const TomlValue& value) { return value.texts() == launch.args; })) {
      assignments.emplace_back("args", format_toml(launch.args));
    }
    return set_in_table(text, {key_, name}, assignments);
  }

  [[nodiscard]] std::string without_entry(std::string_view text, const std::string& name) const override {
    return remove_table(text, {key_, name});
  }

  [[nodiscard]] std::string remark(std::string_view) const override { return {}; }

 private:
  static Launch launch_of(const TomlTable& table) {
    Launch launch;
    for (const TomlStatement* statement : table.assignments) {
      if (statement->key == TomlKey{"command"}) launch.command = statement->value.text.value_or("");
      if (statement->key == TomlKey{"args"})
        launch.args = statement->value.texts().value_or(std::vector<std::string>());
    }
    return launch;
  }

  std::string key_;
};

}  // namespace

std::unique_ptr<ConfigFormat> make_toml_format(const Client& client) { return std::make_unique<TomlFormat>(client); }

}  // namespace cowork_terminal::registration
