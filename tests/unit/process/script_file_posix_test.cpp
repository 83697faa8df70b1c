#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "process/script_file.hpp"
#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;

namespace {

Command script_command(const std::string& text) {
  Command command = bash_command("");
  command.argv = {"/bin/bash"};
  command.script = text;
  return command;
}

std::size_t entries(const std::string& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a script reaches the program whole, whatever its length and its bytes", "[process][C-15][K86]") {
  RunnerFixture fixture;
  std::string text = "printf '%s' '";
  for (int i = 0; i < 100'000; ++i) text += "line " + std::to_string(i) + " !$`\\\"\n";
  text += "' | cksum; exit 9";
  const auto outcome = fixture.run(script_command(text));
  CHECK(exited_with(outcome, 9));
  const auto quoted = text.find('\'', 12) + 1;
  const TemporaryFolder folder;
  const std::string path = folder.path("text");
  std::ofstream(path, std::ios::binary) << text.substr(quoted, text.rfind('\'') - quoted);
  CHECK(outcome.standard_output.text == fixture.bash("cksum <'" + path + "'").standard_output.text);
}

TEST_CASE("a program that reads a script inherits no descriptor for it", "[process][C-15][C-17]") {
  RunnerFixture fixture;
  CHECK(fixture.run(script_command(child("descriptors"))).standard_output.text == "0 1 2 nonblocking:\n");
}

TEST_CASE("a script is the last argument", "[process][C-15]") {
  RunnerFixture fixture;
  Command command = script_command("echo \"$#\"");
  command.argv = {CHILD_PROGRAM, "arguments", "first"};
  const auto text = fixture.run(command).standard_output.text;
  CHECK(text.rfind("first\n/", 0) == 0);
}

TEST_CASE("a script leaves nothing behind", "[process][C-15]") {
  RunnerFixture fixture;
  const TemporaryFolder folder;
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  CHECK(exited_with(fixture.run(script_command("exit 3")), 3));
  Command slow = script_command("sleep 60; true");
  slow.timeout = milliseconds(100);
  CHECK(std::holds_alternative<TimedOut>(fixture.run(slow).ending));
  Command failing = script_command("true");
  failing.working_directory = "/no/such";
  CHECK(std::holds_alternative<FailedToStart>(fixture.run(failing).ending));
  ::unsetenv("TMPDIR");
  CHECK(entries(folder.path()) == 0);
}

TEST_CASE("a script file is private and gone with its object", "[process][C-15]") {
  const TemporaryFolder folder;
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  auto script = ScriptFile::make("echo text");
  ::unsetenv("TMPDIR");
  REQUIRE(script);
  if (script->descriptor() >= 0) {
    CHECK(entries(folder.path()) == 0);
  } else {
    struct stat status {};
    REQUIRE(::stat(script->path().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600U);
    REQUIRE(::stat(script->folder().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0700U);
  }
  script.reset();
  CHECK(entries(folder.path()) == 0);
}
