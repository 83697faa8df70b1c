#pragma once

#include <functional>

namespace cowork_terminal::loop {
class EventLoop;
}

namespace cowork_terminal::process {

// Calls `died` once, on the loop thread, when the process that started us ends; told by the system, not by polling.
// Nothing is watched if that is process 1 or already gone, or if the system cannot tell (contract C-26).
void when_parent_dies(loop::EventLoop& loop, std::function<void()> died);

}  // namespace cowork_terminal::process
