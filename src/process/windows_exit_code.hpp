#pragma once

#include <cowork_terminal/process/command.hpp>
#include <cstdint>
#include <string>

namespace cowork_terminal::process {

struct WindowsEnding {
  Ending ending;     // Exited or Signaled
  std::string note;  // empty: none
};

// Contract C-20a. `code` is what GetExitCodeProcess says.
WindowsEnding windows_ending(std::uint32_t code);

// How the MSYS runtime reports death by `signal`; also what we end trees with.
constexpr std::uint32_t windows_exit_code_of_signal(int signal) { return static_cast<std::uint32_t>(signal) << 8; }

}  // namespace cowork_terminal::process
