#pragma once

#include <string>
#include <vector>

namespace cowork_terminal::registration {

// How a client starts a server.
struct Launch {
  std::string command;
  std::vector<std::string> args;

  bool operator==(const Launch&) const = default;
};

// One entry among the servers of a client.
struct ServerEntry {
  std::string name;
  Launch launch;  // an empty command: the entry starts no program (a remote server, or something else)
};

enum class EntryKind {
  this_program,   // this very executable
  other_copy,     // an executable of this name elsewhere, there or gone
  node_original,  // the npm package of the same name, in whatever way it is started
  foreign,
};

// `executable` is the absolute path of this program.
EntryKind kind_of(const Launch& launch, const std::string& executable);

// The launch as one line for people, quoted as a POSIX shell reads it.
std::string command_line(const Launch& launch);

}  // namespace cowork_terminal::registration
