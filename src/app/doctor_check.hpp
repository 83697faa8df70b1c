#pragma once

#include <string>
#include <vector>

namespace cowork_terminal::app {

enum class Verdict { good, remark, broken };

// One line of what `doctor` says.
struct Check {
  std::string name;
  Verdict verdict = Verdict::good;
  std::string finding;
  std::string remedy;  // what to do; empty if there is nothing to do
};

std::string as_text(const std::vector<Check>& checks);
std::string as_json(const std::vector<Check>& checks);
bool anything_broken(const std::vector<Check>& checks);

}  // namespace cowork_terminal::app
