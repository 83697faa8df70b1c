#pragma once

#include <cowork_terminal/registration/surroundings.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cowork_terminal::registration {

// What becomes of entries of the Node original, and of an entry of the wanted name that starts something else.
enum class Replacement { refuse, replace };
enum class Effect { write, dry_run };

struct InstallRequest {
  std::string client;
  std::string name = "cowork-terminal";
  std::string executable;         // absolute path of this program, UTF-8
  std::vector<std::string> args;  // options of the server
  Replacement replacement = Replacement::refuse;
  Effect effect = Effect::write;
};

struct UninstallRequest {
  std::string client;
  std::string name = "cowork-terminal";
  std::string executable;
  Effect effect = Effect::write;
};

// A file that was changed, or would be.
struct FileChange {
  std::filesystem::path file;         // symbolic links followed
  std::optional<std::string> before;  // none: it did not exist
  std::optional<std::string> after;   // none: it is taken away
  std::optional<std::filesystem::path> backup;
};

struct InstallReport {
  int exit_code = 0;    // contract §6: 0, 1 or 2
  std::string text;     // for standard output: what was done and what to do next, whole lines
  std::string remarks;  // for standard error: what failed and the remedy, what else should be known, whole lines
  std::vector<FileChange> changes;
};

// Registers the program with a client. Either all files that this takes are readable and get their entry, or none is
// written. Never throws for what it finds on the machine.
InstallReport install(const InstallRequest& request, const Surroundings& surroundings);

// Takes the entry out again: the one of that name, or if there is none, those that start this very executable. A file
// that holds nothing but what `install` wrote becomes exactly what it was before.
InstallReport uninstall(const UninstallRequest& request, const Surroundings& surroundings);

// The entry as text, for a client that is not known here (any other name, or none) or to be put in by hand. Writes
// nothing.
InstallReport print_entry(const InstallRequest& request);

}  // namespace cowork_terminal::registration
