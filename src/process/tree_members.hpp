#pragma once

#include <cstddef>
#include <cstdint>

#include "process/mapped_array.hpp"
#include "process/process_table.hpp"

namespace cowork_terminal::process {

// POSIX. What tells the processes of one command from all others.
struct TreeIdentity {
  // Linux: the sub-reaper, to which everything of the tree is re-parented; descent from it is the whole truth. 0: there
  // is none, and the tree is the session, the group, the descendants and the marked.
  pid_t adopter = 0;
  pid_t program = 0;  // leads the session and the group
  // Nothing that started earlier is looked at for its mark. 0: not known.
  std::uint64_t program_start = 0;
  const char* mark = nullptr;  // "NAME=value"
};

struct TreeMember {
  ProcessEntry process;
  bool stopped = false;        // SIGSTOP was sent: it forks no more
  bool not_permitted = false;  // it may not be signalled by us
};

// The processes of a tree, found anew by each look(); once found, a process stays a member whatever becomes of its
// parent. Async-signal-safe.
class TreeMembers {
 public:
  explicit TreeMembers(const TreeIdentity& identity) : identity_(identity) {}

  // False when the system does not tell.
  bool look();

  // By pid; zombies are not among them.
  [[nodiscard]] TreeMember* begin() { return members_.begin(); }
  [[nodiscard]] TreeMember* end() { return members_.end(); }
  [[nodiscard]] std::size_t size() const { return members_.size(); }

 private:
  enum class Belongs : unsigned char { not_known, on_the_way, yes, no };

  Belongs belongs(std::size_t index);
  bool is_root(const ProcessEntry& process);
  TreeMember* known(const ProcessEntry& process);

  TreeIdentity identity_;
  ProcessTable table_;
  MappedArray<Belongs> belongs_;  // one for each process of the table
  MappedArray<TreeMember> members_;
  MappedArray<TreeMember> found_;
};

}  // namespace cowork_terminal::process
