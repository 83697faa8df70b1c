#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "process/script_file.hpp"
#include "process/supervisor.hpp"
#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;

namespace {

std::string read_all(const Descriptor& pipe) {
  std::string text;
  char piece[512];
  for (ssize_t size = 0; (size = ::read(pipe.get(), piece, sizeof piece)) > 0;) {
    text.append(piece, static_cast<std::size_t>(size));
  }
  return text;
}

}  // namespace

TEST_CASE("a script that cannot be reached through the supervisor is inherited", "[process][C-15]") {
  const auto script = ScriptFile::make("echo \"$0\"; exit 7");
  REQUIRE(script);
  REQUIRE(script->descriptor() >= 0);
  auto output = make_pipe();
  auto channel = make_socket_pair();
  REQUIRE(output);
  REQUIRE(channel);
  char path[script_path_size] = "/proc/1/fd/nothing";
  char bash[] = "/bin/bash";
  char* const argv[] = {bash, path, nullptr};
  char* const environment[] = {nullptr};
  Supervision supervision;
  supervision.channel = channel->second.get();
  supervision.standard_output = output->second.get();
  supervision.standard_error = output->second.get();
  supervision.working_directory = "/";
  supervision.argv = argv;
  supervision.environment = environment;
  supervision.script = script->descriptor();
  supervision.script_path = path;

  const pid_t test = ::getpid();
  const pid_t program = ::fork();
  if (program == 0) become_program(supervision, test);
  output->second.reset();
  CHECK(read_all(output->first).rfind("/dev/fd/", 0) == 0);
  int status = 0;
  ::waitpid(program, &status, 0);
  CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("a program whose supervisor died before it was ready never runs", "[process][C-26b]") {
  auto output = make_pipe();
  REQUIRE(output);
  char echo[] = "/bin/echo";
  char text[] = "ran";
  char* const argv[] = {echo, text, nullptr};
  char* const environment[] = {nullptr};
  Supervision supervision;
  supervision.standard_output = output->second.get();
  supervision.standard_error = output->second.get();
  supervision.working_directory = "/";
  supervision.argv = argv;
  supervision.environment = environment;
  const pid_t program = ::fork();
  if (program == 0) become_program(supervision, 1);  // not its parent, or no longer
  output->second.reset();
  CHECK(read_all(output->first).empty());
  ::waitpid(program, nullptr, 0);
}
