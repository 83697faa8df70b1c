#pragma once

#include <cstddef>
#include <cstdint>

namespace cowork_terminal::process {

// POSIX. What a supervisor and its server tell each other over a socket pair: records of one size, so that neither
// side has to parse. The end of the stream means that the other side is dead.
struct SupervisorRecord {
  enum class Kind : std::uint32_t {
    // From the supervisor. The last of each life is `failed`, `exited` or `gone`.
    started,  // value: pid of the program, which sends this itself before its exec
    failed,   // value: errno, step: LaunchStep
    exited,  // value: wait status; the program has ended by itself. step: 1 if the supervisor waits for a request again
    ended,   // value: wait status; the program has ended after an order to end the tree
    survivor,  // value: pid, step: 1 if it may not be signalled
    gone,      // value: how many are left besides the survivors named
    // From the server.
    terminate,  // value: grace in milliseconds
  };
  Kind kind{};
  std::uint32_t step = 0;
  std::int64_t value = 0;
};

inline constexpr std::size_t survivors_named = 8;  // by `survivor`; the others are counted by `gone`

enum class LaunchStep : std::uint32_t { fork_program, move_descriptors, null_device, working_directory, execute };

// Does not block; false when the other side is dead or reads nothing. Async-signal-safe.
bool send_record(int channel, const SupervisorRecord& record);

// Puts records together from a stream that may be cut anywhere. Async-signal-safe.
class RecordReader {
 public:
  enum class Result { record, nothing_yet, closed };

  // Does not block.
  Result read(int channel);
  [[nodiscard]] const SupervisorRecord& record() const { return record_; }

 private:
  SupervisorRecord record_;
  std::size_t filled_ = 0;
};

}  // namespace cowork_terminal::process
