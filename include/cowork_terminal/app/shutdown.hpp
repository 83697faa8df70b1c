#pragma once

#include <chrono>
#include <cowork_terminal/loop/event_loop.hpp>
#include <functional>

namespace cowork_terminal::jsonrpc {
class Dispatcher;
class StdioTransport;
}  // namespace cowork_terminal::jsonrpc

namespace cowork_terminal::mcp {
class Server;
}

namespace cowork_terminal::process {
class CommandRunner;
}

namespace cowork_terminal::app {

// The end of the server, whatever begins it (contract C-26, C-26a): running commands get their time, their trees are
// ended, answers are written, and `leave` is called once, at the latest when the deadline of that kind of end is over.
// Loop thread only; everything it is given outlives it.
class Shutdown {
 public:
  struct Parts {
    loop::EventLoop& loop;
    process::CommandRunner& runner;
    jsonrpc::Dispatcher& dispatcher;
    jsonrpc::StdioTransport& transport;
    mcp::Server& server;
  };

  Shutdown(Parts parts, std::function<void()> leave);

  void input_ended();
  void output_closed();
  void signal_arrived();

 private:
  void end_commands(std::chrono::milliseconds grace);
  void leave_when_idle();
  void leave_when_flushed();
  void leave_by(std::chrono::milliseconds deadline);
  void leave_once();

  Parts parts_;
  std::function<void()> leave_;
  bool flushing_ = false;
  loop::Timer grace_timer_;
  loop::Timer deadline_timer_;
};

}  // namespace cowork_terminal::app
