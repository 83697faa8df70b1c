#pragma once

#include <cowork_terminal/loop/event_loop.hpp>
#include <functional>

namespace cowork_terminal::app {

// Calls `arrived` for each signal that asks the server to end (contract C-26a), for the life of the loop. POSIX: also
// when the client had them blocked as it started the server.
void on_stop_signals(loop::EventLoop& loop, std::function<void()> arrived);

}  // namespace cowork_terminal::app
