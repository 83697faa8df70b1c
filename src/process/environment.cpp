#include <algorithm>
#include <cowork_terminal/process/environment.hpp>

#include "process/variable_name.hpp"

namespace cowork_terminal::process {

namespace {

template <class Variables>
auto find_variable(Variables& variables, std::string_view name) {
  return std::find_if(variables.begin(), variables.end(), [name](const Environment::Variable& variable) {
    return same_variable_name(variable.first, name);
  });
}

}  // namespace

std::optional<std::string> Environment::get(std::string_view name) const {
  const auto variable = find_variable(variables_, name);
  if (variable == variables_.end()) return std::nullopt;
  return variable->second;
}

void Environment::set(std::string_view name, std::string_view value) {
  const auto variable = find_variable(variables_, name);
  if (variable == variables_.end()) {
    variables_.emplace_back(name, value);
  } else {
    variable->second = value;
  }
}

void Environment::remove(std::string_view name) {
  std::erase_if(variables_, [name](const Variable& variable) { return same_variable_name(variable.first, name); });
}

}  // namespace cowork_terminal::process
