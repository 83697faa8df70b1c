#pragma once

#include <cowork_terminal/mcp/tool.hpp>
#include <cowork_terminal/process/command_runner.hpp>
#include <cowork_terminal/process/environment.hpp>
#include <cowork_terminal/tools/command_preparation.hpp>
#include <functional>
#include <memory>

namespace cowork_terminal::loop {
class EventLoop;
}

namespace cowork_terminal::tools {

// Hands over the environment that commands start from, at once or once it is known; on the loop thread.
using EnvironmentSource = std::function<void(std::function<void(const process::Environment&)> ready)>;

// Told what the runner cannot see, for the log. Both may be empty.
struct CommandRecorder {
  // A call that never reached the runner: the command as far as it is known, and why.
  std::function<void(const std::string& command, const std::string& reason)> refused;
  // The command with this id in its CommandRecord goes on as a job of the same id.
  std::function<void(const std::string& id)> became_job;
};

// The tool `execute_command` (contract §2 … §4). `loop` and `runner` outlive it.
std::unique_ptr<mcp::Tool> make_execute_command(loop::EventLoop& loop, process::CommandRunner& runner,
                                                ExecuteSettings settings, EnvironmentSource environment,
                                                CommandRecorder recorder = {});

}  // namespace cowork_terminal::tools
