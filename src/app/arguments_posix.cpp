#include <cowork_terminal/app/arguments.hpp>

namespace cowork_terminal::app {

std::vector<std::string> program_arguments(int argc, char* argv[]) {
  return argc > 1 ? std::vector<std::string>(argv + 1, argv + argc) : std::vector<std::string>();
}

}  // namespace cowork_terminal::app
