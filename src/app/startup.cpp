#include <cowork_terminal/app/startup.hpp>

namespace cowork_terminal::app {

shell::BashLocation require_bash(const std::string& option) {
  if (!option.empty()) {
    if (auto location = shell::bash_at(option)) return *location;
    throw StartupError("--bash " + option +
                       ": there is no executable file of that name. Give the absolute path of bash.");
  }
  auto search = shell::search_bash();
  if (!search.found) throw StartupError(shell::describe_missing_bash(search.checked));
  return *search.found;
}

}  // namespace cowork_terminal::app
