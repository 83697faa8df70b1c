#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "process/launch_failure.hpp"
#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a missing working directory is named as such", "[process][K40]") {
  RunnerFixture fixture;
  Command command = bash_command("echo hi");
  command.working_directory = "/no/such/dir";
  const auto reason = reason_of(fixture.run(command));
  CHECK(contains(reason, "cwd"));
  CHECK(contains(reason, "/no/such/dir does not exist"));
  CHECK_FALSE(contains(reason, "bash"));

  command.working_directory = "/etc/passwd";
  CHECK(contains(reason_of(fixture.run(command)), "/etc/passwd is not a directory"));
}

TEST_CASE("a missing program is told from a missing directory", "[process][K40]") {
  RunnerFixture fixture;
  Command command = bash_command("echo hi");
  command.argv[0] = "/no/such/bash";
  CHECK(contains(reason_of(fixture.run(command)), "/no/such/bash does not exist"));

  const TemporaryFolder folder;
  command.argv[0] = folder.path("program");
  std::ofstream(command.argv[0]) << "text";
  CHECK(contains(reason_of(fixture.run(command)), "may not be executed"));
}

TEST_CASE("arguments beyond the limit of the system are told", "[process][C-15]") {
  RunnerFixture fixture;
  Command command = bash_command(": " + std::string(40'000'000, 'x'));
  const auto reason = reason_of(fixture.run(command));
  CHECK(contains(reason, "longer than this system allows"));
}

TEST_CASE("without descriptors a command fails by name, and others go on", "[process][C-23]") {
  RunnerFixture fixture;
  const auto running = fixture.start_bash("sleep 0.5; echo fine");
  std::vector<int> taken;
  for (int number = 0; (number = ::dup(2)) >= 0;) taken.push_back(number);
  // With every number of free descriptors, until one is enough.
  std::size_t freed = 0;
  std::string reason;
  do {
    reason = reason_of(fixture.bash("echo ran"));
    if (reason.empty()) break;
    INFO(reason);
    CHECK(contains(reason, "too many files are open"));
    ::close(taken.back());
    taken.pop_back();
  } while (++freed < 40);
  for (const int number : taken) ::close(number);
  CHECK(freed > 4);
  CHECK(freed < 20);
  CHECK(fixture.finish(*running).standard_output.text == "fine\n");
}

TEST_CASE("a limit on processes fails a command by name, and nothing is left behind", "[process][C-23]") {
  RunnerFixture fixture;
  if (::geteuid() == 0) {
    WARN("skipped: no limit on processes holds for root");
    return;
  }
  rlimit before{};
  ::getrlimit(RLIMIT_NPROC, &before);
  const rlimit none{1, before.rlim_max};
  ::setrlimit(RLIMIT_NPROC, &none);
  const auto outcome = fixture.bash("echo ran");
  ::setrlimit(RLIMIT_NPROC, &before);
  CHECK(contains(reason_of(outcome), "no further process may be started"));
  CHECK(fixture.bash("echo ran").standard_output.text == "ran\n");
}

TEST_CASE("texts say what to do", "[process][C-8]") {
  CHECK(contains(no_resources_text(EAGAIN), "try again"));
  CHECK(contains(no_resources_text(ENOMEM), "memory"));
  CHECK(contains(no_resources_text(EMFILE), "too many files"));
  CHECK(contains(no_resources_text(ETOOMANYREFS), "too many files"));
  CHECK(contains(launch_failure_text(LaunchStep::working_directory, EACCES, "/bin/bash", "/secret"),
                 "/secret may not be entered"));
  CHECK(contains(launch_failure_text(LaunchStep::execute, E2BIG, "/bin/bash", "/"), "env"));
  CHECK(contains(launch_failure_text(LaunchStep::null_device, ENOENT, "/bin/bash", "/"), "/dev/null"));
  CHECK(contains(launch_failure_text(LaunchStep::fork_program, EAGAIN, "/bin/bash", "/"), "process"));
}
