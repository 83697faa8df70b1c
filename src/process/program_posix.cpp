#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "process/descriptor.hpp"
#include "process/descriptor_limit.hpp"
#include "process/numbered_path.hpp"
#include "process/supervisor.hpp"
#include "process/supervisor_channel.hpp"

namespace cowork_terminal::process {

namespace {

[[noreturn]] void fail(int channel, LaunchStep step) {
  send_record(channel, {SupervisorRecord::Kind::failed, static_cast<std::uint32_t>(step), errno});
  ::_exit(127);
}

// Out of the way of 0, 1 and 2, which a server started without them has given to its pipes.
int above_standard_streams(int descriptor) {
  return descriptor > STDERR_FILENO ? descriptor : ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

// -1, unless a rule of the system closes the road through the supervisor: then the program keeps a descriptor of its
// own.
int script_to_inherit(const Supervision& supervision) {
  if (supervision.script < 0 || ::access(supervision.script_path, R_OK) == 0) return -1;
  const int script = ::fcntl(supervision.script, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (script >= 0) write_numbered_path(supervision.script_path, script_path_size, "/dev/fd/", script, "");
  return script;
}

}  // namespace

void become_program(const Supervision& supervision, pid_t supervisor) {
  die_with(supervisor);
  ::setsid();

  const int channel = above_standard_streams(supervision.channel);
  const int output = above_standard_streams(supervision.standard_output);
  const int error = above_standard_streams(supervision.standard_error);
  if (channel < 0 || output < 0 || error < 0) fail(supervision.channel, LaunchStep::move_descriptors);

  const int script = script_to_inherit(supervision);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int input = null < 0 ? -1 : above_standard_streams(null);
  if (input < 0) fail(channel, LaunchStep::null_device);
  if (::dup2(input, STDIN_FILENO) < 0 || ::dup2(output, STDOUT_FILENO) < 0 || ::dup2(error, STDERR_FILENO) < 0) {
    fail(channel, LaunchStep::move_descriptors);
  }
  close_descriptors_on_exec(STDERR_FILENO + 1);
  if (script >= 0) ::fcntl(script, F_SETFD, 0);

  if (::chdir(supervision.working_directory) != 0) fail(channel, LaunchStep::working_directory);

  restore_descriptor_limit();
  // By the program's side, so that nothing the program does to the supervisor comes before it.
  send_record(channel, {SupervisorRecord::Kind::started, 0, ::getpid()});
  // The supervisor's handler must not write to the program's pipes.
  std::signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(supervision.argv[0], supervision.argv, supervision.environment);
  fail(channel, LaunchStep::execute);
}

}  // namespace cowork_terminal::process
