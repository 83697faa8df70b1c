#pragma once

#include <cowork_terminal/registration/client.hpp>
#include <cowork_terminal/registration/server_entry.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cowork_terminal::registration {

// How a client writes down its servers. All functions throw DocumentError for a text they cannot use; an empty text is
// a file that is new. Every byte outside the entry in question stays as it is.
class ConfigFormat {
 public:
  virtual ~ConfigFormat() = default;

  [[nodiscard]] virtual std::vector<ServerEntry> entries(std::string_view text) const = 0;
  // Adds the entry, or sets what the one of that name starts and keeps its other keys. If it is there already, the
  // result is `text`, but for a byte order mark.
  [[nodiscard]] virtual std::string with_entry(std::string_view text, const std::string& name,
                                               const Launch& launch) const = 0;
  [[nodiscard]] virtual std::string without_entry(std::string_view text, const std::string& name) const = 0;
  // What a person should know about the text although we can use it; else empty.
  [[nodiscard]] virtual std::string remark(std::string_view text) const = 0;
};

std::unique_ptr<ConfigFormat> make_json_format(const Client& client);
std::unique_ptr<ConfigFormat> make_toml_format(const Client& client);
std::unique_ptr<ConfigFormat> format_of(const Client& client);

}  // namespace cowork_terminal::registration
