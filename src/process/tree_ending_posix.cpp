#include <algorithm>
#include <cerrno>
#include <csignal>

#include "process/process_signal.hpp"
#include "process/tree_ending.hpp"

namespace cowork_terminal::process {

namespace {

// Most trees are one process group and gone within this time after one signal, without a look at the process table.
constexpr TreeEnding::Duration group_first{5};
constexpr TreeEnding::Duration look_again{20};
constexpr TreeEnding::Duration longest_pause{1'000};
constexpr TreeEnding::Duration patience_after_kill{400};
// A bomb is frozen when a look finds nobody new; a process in uninterruptible sleep never counts as new twice.
constexpr int freezing_looks = 30;
// Between its fork and its exec, or while it execs, a process may show nothing that makes it a member.
constexpr int looks_at_nobody = 2;

}  // namespace

void TreeEnding::terminate(Duration grace) {
  const Clock::time_point now = Clock::now();
  if (state_ == State::idle) {
    state_ = State::ending;
    step_ = Step::terminate_strays;
    due_ = now + group_first;
    deadline_ = now + grace;
    give_up_ = deadline_ + patience_after_kill;
    find_descendants();
    signal_group(SIGTERM);
    signal_group(SIGCONT);
  } else if (now + grace < deadline_) {
    deadline_ = now + grace;
    give_up_ = deadline_ + patience_after_kill;
  }
}

void TreeEnding::kill(Duration patience) {
  const Clock::time_point now = Clock::now();
  if (state_ == State::gone) return;
  state_ = State::ending;
  if (step_ != Step::kill_rounds) step_ = Step::kill_group;
  due_ = deadline_ = now;
  give_up_ = now + patience;
}

std::optional<TreeEnding::Clock::time_point> TreeEnding::next_step() const {
  if (state_ == State::idle || state_ == State::gone) return std::nullopt;
  if (step_ == Step::terminate_strays) return std::min(due_, deadline_);
  // With a sub-reaper the end of the tree is noticed by its owner, which has no children any more.
  if (step_ == Step::wait) return identity_.adopter != 0 ? deadline_ : std::min(due_, deadline_);
  return due_;
}

void TreeEnding::advance() {
  if (state_ == State::idle || state_ == State::gone) return;
  const Clock::time_point now = Clock::now();
  if (now < *next_step()) return;

  const bool killing = step_ == Step::kill_group || step_ == Step::kill_rounds;
  if (!killing && now >= deadline_) step_ = Step::kill_group;
  switch (step_) {
    case Step::terminate_strays:
      terminate_strays();
      step_ = Step::wait;
      due_ = now + look_again;
      return;
    case Step::wait:
      if (members_.look()) note_size();
      due_ = now + look_again;
      return;
    case Step::kill_group:
      find_descendants();
      signal_group(SIGKILL);
      step_ = Step::kill_rounds;
      due_ = group_is_ours_ ? now + group_first : now;
      return;
    case Step::kill_rounds:
      kill_round();
      if (state_ == State::gone) return;
      if (Clock::now() >= give_up_ || only_strangers_left()) state_ = State::given_up;
      due_ = Clock::now() + pause_;
      if (state_ == State::ending) due_ = std::min(due_, give_up_);
      pause_ = std::min(pause_ * 2, longest_pause);
      return;
  }
}

// Without a sub-reaper, descent is told by parents alone: who is of the tree must be known before one of them dies.
void TreeEnding::find_descendants() {
  if (identity_.adopter == 0) members_.look();
}

void TreeEnding::signal_group(int signal) {
  // Atomic in the kernel: no member can fork past it. The group's number stays taken while the program is not reaped.
  if (!group_is_ours_ || ::kill(-identity_.program, signal) == 0 || errno != ESRCH) return;
  // Just forked, it does not lead its group yet.
  ::kill(identity_.program, signal);
}

void TreeEnding::terminate_strays() {
  members_.look();
  for (TreeMember& member : members_) {
    if (group_is_ours_ && member.process.group == identity_.program) continue;
    member.not_permitted = signal_process(member.process, SIGTERM) == EPERM;
    signal_process(member.process, SIGCONT);
  }
}

void TreeEnding::kill_round() {
  freeze();
  if (identity_.adopter == 0) note_size();
  for (TreeMember& member : members_) member.not_permitted = signal_process(member.process, SIGKILL) == EPERM;
}

void TreeEnding::note_size() {
  empty_looks_ = members_.size() == 0 ? empty_looks_ + 1 : 0;
  if (empty_looks_ == looks_at_nobody) state_ = State::gone;
}

// Killing alone would make room for the forks of those not yet found; a stopped process keeps its place and is
// harmless.
void TreeEnding::freeze() {
  for (int look = 0; look < freezing_looks; ++look) {
    members_.look();
    if (look > 0 && Clock::now() >= give_up_) return;
    bool somebody_new = false;
    for (TreeMember& member : members_) {
      if (member.stopped) continue;
      signal_process(member.process, SIGSTOP);
      member.stopped = somebody_new = true;
    }
    if (!somebody_new) return;
  }
}

bool TreeEnding::only_strangers_left() {
  return members_.size() > 0 &&
         std::all_of(members_.begin(), members_.end(), [](const TreeMember& member) { return member.not_permitted; });
}

}  // namespace cowork_terminal::process
