#pragma once

#include <boost/asio/io_context.hpp>
#include <cowork_terminal/process/command.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "process/job_windows.hpp"
#include "process/unique_handle_windows.hpp"

namespace cowork_terminal::process {

struct CreatedProcess {
  UniqueHandle handle;
  std::uint32_t pid;
};

// Inheritable; they stay the caller's.
struct StandardHandles {
  HANDLE input;
  HANDLE output;
  HANDLE error;
};

// Starts a hidden program in `job` from its first instruction on, with these three handles and no others. Throws
// std::runtime_error whose text says what to change.
CreatedProcess create_process(boost::asio::io_context& context, const std::vector<std::string>& argv,
                              const std::string& working_directory, const Environment& environment,
                              const StandardHandles& handles, const Job& job);

}  // namespace cowork_terminal::process
