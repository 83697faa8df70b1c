#include <cowork_terminal/process/parent_watch.hpp>

namespace cowork_terminal::process {

// Contract C-26 asks for it on POSIX only. Here a parent that ends says nothing: `exec` in Git Bash starts the program
// as a child and ends, and a client that dies closes its end of the pipe, which Windows lets nobody inherit by
// accident.
void when_parent_dies(loop::EventLoop&, std::function<void()>) {}

}  // namespace cowork_terminal::process
