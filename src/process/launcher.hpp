#pragma once

#include <cowork_terminal/process/command.hpp>
#include <memory>
#include <variant>

#include "process/process_tree.hpp"

namespace cowork_terminal::loop {
class EventLoop;
}

namespace cowork_terminal::process {

// Starts programs on this platform. Loop thread only. Trees may outlive it.
class Launcher {
 public:
  virtual ~Launcher() = default;

  // Does not block and throws nothing but std::bad_alloc; a failure leaves nothing behind. `listener` outlives the
  // tree.
  virtual std::variant<std::unique_ptr<ProcessTree>, FailedToStart> launch(const Command& command,
                                                                           ProcessTree::Listener& listener) = 0;
};

// Defined once per platform. `loop` outlives the launcher and its trees.
std::unique_ptr<Launcher> make_launcher(loop::EventLoop& loop);

}  // namespace cowork_terminal::process
