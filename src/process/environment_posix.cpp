#include <cowork_terminal/process/environment.hpp>

#include "process/variable_name.hpp"

extern "C" char** environ;

namespace cowork_terminal::process {

bool same_variable_name(std::string_view left, std::string_view right) { return left == right; }

Environment Environment::current() {
  Environment environment;
  if (environ == nullptr) return environment;
  std::size_t count = 0;
  while (environ[count] != nullptr) ++count;
  environment.variables_.reserve(count);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    // An entry without a name cannot be set again; one that stands twice counts as getenv() sees it: the first.
    if (equals == std::string_view::npos || equals == 0) continue;
    const std::string_view name = text.substr(0, equals);
    if (!environment.get(name)) environment.variables_.emplace_back(name, text.substr(equals + 1));
  }
  return environment;
}

}  // namespace cowork_terminal::process
