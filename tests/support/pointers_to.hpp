#pragma once

#include <string>
#include <vector>

namespace cowork_terminal::testing {

// An argv or environment of POSIX, valid as long as the strings.
inline std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (auto& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace cowork_terminal::testing
