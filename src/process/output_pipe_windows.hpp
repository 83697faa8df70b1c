#pragma once

#include "process/unique_handle_windows.hpp"

namespace cowork_terminal::process {

// One end for Asio (overlapped), one for the command: synchronous, because C and MSYS programs cannot write to an
// overlapped handle, and inheritable.
struct OutputPipe {
  UniqueHandle read_end;
  UniqueHandle write_end;
};

// Throws std::runtime_error.
OutputPipe make_output_pipe();

}  // namespace cowork_terminal::process
