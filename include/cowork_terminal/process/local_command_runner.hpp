#pragma once

#include <cowork_terminal/process/command_runner.hpp>
#include <memory>

namespace cowork_terminal::loop {
class EventLoop;
}

namespace cowork_terminal::process {

// Runs commands on this machine, each at once. `loop` outlives the runner. A runner that goes away ends what still runs
// and completes it no more.
std::unique_ptr<CommandRunner> make_local_command_runner(loop::EventLoop& loop);

}  // namespace cowork_terminal::process
