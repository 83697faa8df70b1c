#pragma once

#include <cowork_terminal/process/environment.hpp>
#include <initializer_list>

namespace cowork_terminal::shell {

inline process::Environment environment_with(std::initializer_list<process::Environment::Variable> variables) {
  process::Environment environment;
  for (const auto& [name, value] : variables) environment.set(name, value);
  return environment;
}

}  // namespace cowork_terminal::shell
