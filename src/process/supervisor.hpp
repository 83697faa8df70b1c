#pragma once

#include <sys/types.h>

namespace cowork_terminal::process {

// POSIX. All that a supervisor needs for its command, from the server's request (supervisor_request.hpp).
struct Supervision {
  int channel = -1;  // the supervisor's end
  int standard_output = -1;
  int standard_error = -1;
  const char* working_directory = nullptr;
  char* const* argv = nullptr;  // argv[0] is the program's path
  char* const* environment = nullptr;
  const char* mark = nullptr;  // the variable of `environment` that marks the tree

  // A script given to the program by a path: of a descriptor that the supervisor keeps open (Linux; the path is written
  // into `script_path` once the supervisor's pid is known), or of a file in a folder of its own.
  int script = -1;
  char* script_path = nullptr;
  const char* script_folder = nullptr;
};

inline constexpr int script_path_size = 64;  // at least, if `script` is open

// Makes the calling process, a fork of the server with all signals blocked, a supervisor: it waits for the server's
// request, starts the program, tells the server what becomes of it, ends its tree on order or when the server dies.
// It never returns, but waits for the next request if the program ended by itself and left nothing behind. Between it
// and the server there is nothing but the channel (supervisor_channel.hpp). Async-signal-safe throughout.
[[noreturn]] void supervise(int channel);

// The program's side: of a child of the supervisor, makes the program. It may share the supervisor's memory.
[[noreturn]] void become_program(const Supervision& supervision, pid_t supervisor);

// What follows is the system's own part.

// fork() for a child that calls supervise() and nothing else: on Linux without what the C library does for others.
pid_t fork_supervisor();

// These have no effect but on Linux. True when every orphan below the caller becomes its child.
bool adopt_orphans();
// A supervisor that somebody has stopped cannot end its tree, nor itself, when the server dies.
void continue_when_server_dies();
void be_shown_as(const char* name);
void die_with(pid_t supervisor);
// Starts the child that becomes the program; its pid, or -1 and errno. On Linux the caller sleeps until its exec.
pid_t start_program(const Supervision& supervision, pid_t supervisor);

}  // namespace cowork_terminal::process
