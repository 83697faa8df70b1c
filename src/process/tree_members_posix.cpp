#include <unistd.h>

#include <algorithm>

#include "process/tree_members.hpp"

namespace cowork_terminal::process {

bool TreeMembers::look() {
  const bool whole = table_.read();
  if (!belongs_.resize(table_.size())) return false;
  std::fill(belongs_.begin(), belongs_.end(), Belongs::not_known);

  found_.clear();
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const ProcessEntry& process = table_.begin()[i];
    if (process.zombie || belongs(i) != Belongs::yes) continue;
    const TreeMember* before = known(process);
    if (!found_.push_back(before != nullptr ? *before : TreeMember{process})) return false;
  }
  members_.swap(found_);
  return whole;
}

// Climbs to the first ancestor of which something is known, then writes the answer down along the way.
TreeMembers::Belongs TreeMembers::belongs(std::size_t index) {
  Belongs answer = Belongs::no;
  const auto parent_of = [this](std::size_t child) -> std::size_t {
    const ProcessEntry& process = table_.begin()[child];
    const ProcessEntry* parent = table_.find(process.parent);
    // The table is no snapshot: a parent younger than its child is somebody else with a pid used again.
    if (parent == nullptr || parent->start > process.start) return table_.size();
    return static_cast<std::size_t>(parent - table_.begin());
  };

  std::size_t top = index;
  for (; top < table_.size(); top = parent_of(top)) {
    Belongs& here = belongs_.begin()[top];
    if (here != Belongs::not_known) {
      if (here == Belongs::yes) answer = Belongs::yes;
      break;
    }
    here = Belongs::on_the_way;
    if (is_root(table_.begin()[top])) {
      answer = Belongs::yes;
      break;
    }
  }
  for (std::size_t i = index; i < table_.size() && belongs_.begin()[i] == Belongs::on_the_way; i = parent_of(i)) {
    belongs_.begin()[i] = answer;
  }
  return belongs_.begin()[index];
}

bool TreeMembers::is_root(const ProcessEntry& process) {
  if (process.pid <= 1 || process.pid == ::getpid()) return false;
  if (identity_.adopter != 0) return process.parent == identity_.adopter;
  if (process.start < identity_.program_start) return false;
  // Processes of the kernel, and those of another namespace, have 0.
  const bool of_program = process.session == identity_.program || process.group == identity_.program;
  if (identity_.program != 0 && of_program) return true;
  if (known(process) != nullptr) return true;
  return !process.zombie && started_with_variable(process.pid, identity_.mark);
}

TreeMember* TreeMembers::known(const ProcessEntry& process) {
  TreeMember* place =
      std::lower_bound(members_.begin(), members_.end(), process.pid,
                       [](const TreeMember& member, pid_t wanted) { return member.process.pid < wanted; });
  const bool same =
      place != members_.end() && place->process.pid == process.pid && place->process.start == process.start;
  return same ? place : nullptr;
}

}  // namespace cowork_terminal::process
