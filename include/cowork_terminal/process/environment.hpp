#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cowork_terminal::process {

// Environment variables, UTF-8, in the order of their first setting. On Windows names compare without case and the
// spelling that was there first stays (contract C-18); elsewhere they are bytes.
class Environment {
 public:
  using Variable = std::pair<std::string, std::string>;

  // That of this process, as it is now.
  static Environment current();

  [[nodiscard]] std::optional<std::string> get(std::string_view name) const;
  void set(std::string_view name, std::string_view value);
  void remove(std::string_view name);
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }

 private:
  std::vector<Variable> variables_;
};

}  // namespace cowork_terminal::process
