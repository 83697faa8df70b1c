#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "process/descriptor_passing.hpp"
#include "process/mapped_array.hpp"
#include "process/supervisor.hpp"

namespace cowork_terminal::process {

struct Command;
class ScriptFile;

// POSIX. The first thing that a supervisor reads from its channel: this, the texts behind it, each ended by NUL, and
// the descriptors of the program's two pipes and of its script, if that is in memory.
struct SupervisorRequestHeader {
  std::uint64_t text_size = 0;    // bytes
  std::uint64_t descriptors = 0;  // which the system may have no room for in the supervisor
  // Texts: the working directory, the folder of the script or nothing, and these. The mark is the first variable.
  std::uint32_t arguments = 0;
  std::uint32_t variables = 0;
};

// The header and the texts of a command; `script` may be null.
std::string supervisor_request(const Command& command, std::string_view mark, const ScriptFile* script);

// The supervisor's side of it. Async-signal-safe.
class ReceivedRequest {
 public:
  // Waits for all of it. False if the server is gone or there is no memory. `supervision` is valid until forget().
  bool receive(int channel, Supervision& supervision);
  // Nothing of the texts is left in memory.
  void forget();

 private:
  bool receive_whole(int channel, void* bytes, std::size_t size);

  SupervisorRequestHeader header_;
  PassedDescriptors passed_;
  MappedArray<char> texts_;
  MappedArray<char*> pointers_;
  char script_path_[script_path_size] = {};
};

}  // namespace cowork_terminal::process
