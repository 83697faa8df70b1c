#pragma once

#include <cstdint>

#include "process/unique_handle_windows.hpp"

namespace cowork_terminal::process {

// A job object: one command's tree, whatever its processes do. While it is armed the tree ends with our process,
// however that ends, because the last handle to the job is closed then (contract C-26b).
class Job {
 public:
  // Throws std::runtime_error.
  Job();

  [[nodiscard]] HANDLE get() const { return handle_.get(); }
  // Ends every process in it, now. Their exit code is that of a death by SIGKILL.
  void terminate();
  // From now on the tree lives without us (contract C-19).
  void disarm();
  [[nodiscard]] bool is_empty() const;

 private:
  UniqueHandle handle_;
};

}  // namespace cowork_terminal::process
