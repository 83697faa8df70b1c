#pragma once

#include <chrono>
#include <optional>

#include "process/tree_members.hpp"

namespace cowork_terminal::process {

// POSIX. Ends a tree step by step: SIGTERM, a grace, then SIGKILL in rounds until nothing is left. It never waits; its
// owner calls advance() whenever a process has ended and when next_step() has come. Async-signal-safe.
class TreeEnding {
 public:
  using Clock = std::chrono::steady_clock;
  using Duration = std::chrono::milliseconds;

  enum class State {
    idle,
    ending,
    gone,      // nothing is left, as far as the process table tells
    given_up,  // somebody is left, and there is no time to wait; rounds go on if advance() is called again
  };

  explicit TreeEnding(const TreeIdentity& identity) : identity_(identity), members_(identity) {}

  // May be called again; the shorter grace counts.
  void terminate(Duration grace);
  // Without SIGTERM; gives up after `patience`.
  void kill(Duration patience);

  // From here on the pid of the program may belong to somebody else.
  void program_was_reaped() { group_is_ours_ = false; }

  void advance();

  [[nodiscard]] State state() const { return state_; }
  // When advance() has something to do by itself.
  [[nodiscard]] std::optional<Clock::time_point> next_step() const;
  // Who was left at the last look.
  [[nodiscard]] TreeMembers& members() { return members_; }

 private:
  enum class Step { terminate_strays, wait, kill_group, kill_rounds };

  void find_descendants();
  void signal_group(int signal);
  void terminate_strays();
  void kill_round();
  void freeze();
  void note_size();
  [[nodiscard]] bool only_strangers_left();

  TreeIdentity identity_;
  TreeMembers members_;
  State state_ = State::idle;
  Step step_ = Step::wait;
  bool group_is_ours_ = true;
  int empty_looks_ = 0;
  Clock::time_point due_;       // of the step
  Clock::time_point deadline_;  // SIGKILL
  Clock::time_point give_up_;
  Duration pause_{5};  // between rounds
};

}  // namespace cowork_terminal::process
