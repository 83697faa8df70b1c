#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "process/descriptor.hpp"
#include "process/descriptor_limit.hpp"
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

}  // namespace

void become_program(const Supervision& supervision, pid_t supervisor) {
  die_with(supervisor);
  ::setsid();

  const int channel = above_standard_streams(supervision.channel);
  const int output = above_standard_streams(supervision.standard_output);
  const int error = above_standard_streams(supervision.standard_error);
  if (channel < 0 || output < 0 || error < 0) fail(supervision.channel, LaunchStep::move_descriptors);

  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int input = null < 0 ? -1 : above_standard_streams(null);
  if (input < 0) fail(channel, LaunchStep::null_device);
  if (::dup2(input, STDIN_FILENO) < 0 || ::dup2(output, STDOUT_FILENO) < 0 || ::dup2(error, STDERR_FILENO) < 0) {
    fail(channel, LaunchStep::move_descriptors);
  }
  close_descriptors_on_exec(STDERR_FILENO + 1);

  if (::chdir(supervision.working_directory) != 0) fail(channel, LaunchStep::working_directory);

  restore_descriptor_limit();
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(supervision.argv[0], supervision.argv, supervision.environment);
  fail(channel, LaunchStep::execute);
}

}  // namespace cowork_terminal::process
