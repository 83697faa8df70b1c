#include <cerrno>
#include <system_error>

#include "process/launch_failure.hpp"

namespace cowork_terminal::process {

namespace {

std::string system_text(int error) { return std::generic_category().message(error); }

std::string working_directory_text(int error, const std::string& directory) {
  const std::string subject = "The command was not run: the working directory (cwd) " + directory;
  switch (error) {
    case ENOENT:
      return subject + " does not exist. Give the path of an existing directory.";
    case ENOTDIR:
      return subject + " is not a directory. Give the path of an existing directory.";
    case EACCES:
      return subject + " may not be entered by this user. Give another directory, or change its permissions.";
    default:
      return subject + " could not be entered: " + system_text(error) + ".";
  }
}

std::string execute_text(int error, const std::string& program) {
  const std::string subject = "The command was not run: " + program;
  switch (error) {
    case ENOENT:
      return subject + " does not exist (or the interpreter that it names). Check the --bash option of the server.";
    case EACCES:
      return subject + " may not be executed by this user. Check its permissions.";
    case E2BIG:
      return "The command was not run: its text and its environment together are longer than this system allows. Pass "
             "less in env, or write long text to a file first.";
    default:
      return subject + " could not be started: " + system_text(error) + ".";
  }
}

}  // namespace

std::string no_resources_text(int error) {
  const std::string subject = "The command was not run: ";
  switch (error) {
    case EMFILE:
    case ENFILE:
    case ETOOMANYREFS:  // descriptors on their way to supervisors count too
      return subject + "too many files are open (" + system_text(error) +
             "). End background processes that earlier commands have left, or wait until others have ended, then try "
             "again.";
    case EAGAIN:
      return subject + "no further process may be started (" + system_text(error) +
             "). End processes that are not needed, then try again.";
    case ENOMEM:
      return subject + "the machine is out of memory. End processes that use much of it, then try again.";
    case ENOSPC:
    case EDQUOT:
      return subject + "there is no room left for its temporary file. Free space on the disk, then try again.";
    default:
      return subject + system_text(error) + ". Try again; if it stays so, restart the server.";
  }
}

std::string launch_failure_text(LaunchStep step, int error, const std::string& program,
                                const std::string& working_directory) {
  switch (step) {
    case LaunchStep::working_directory:
      return working_directory_text(error, working_directory);
    case LaunchStep::execute:
      return execute_text(error, program);
    case LaunchStep::null_device:
      return "The command was not run: /dev/null could not be opened: " + system_text(error) + ".";
    case LaunchStep::fork_program:
    case LaunchStep::move_descriptors:
      break;
  }
  return no_resources_text(error);
}

}  // namespace cowork_terminal::process
