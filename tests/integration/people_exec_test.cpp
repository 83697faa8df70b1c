// `exec` as people run it (contract §6).

#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "support/catch.hpp"
#include "support/person.hpp"

using namespace cowork_terminal::testing;

namespace {

const std::string usual_path = "PATH=" + std::string(std::getenv("PATH"));

ProgramEnd exec(std::vector<std::string> arguments) {
  const Person person;
  arguments.insert(arguments.begin(), "exec");
  return person.run(arguments, {usual_path});
}

std::string endless() { return "sleep 86400." + std::to_string(getpid()); }

bool nothing_left() {
  return wait_until([] { return processes_with(endless()).empty(); }, milliseconds(3'000));
}

}  // namespace

TEST_CASE("exec prints both streams and returns the exit code") {
  const auto end = exec({"--", "git --version; echo err >&2; exit 3"});
  CHECK(end.exit_code == 3);
  CHECK(end.standard_output.starts_with("git version "));
  CHECK(end.standard_error == "err\n");
}

TEST_CASE("exec joins words, sets variables and runs in the home directory or in --cwd") {
  const Person person;
  const std::pair<std::vector<std::string>, std::string> runs[] = {
      {{"exec", "--env", "A=x y", "--", "echo", "$A", "$PWD"}, "x y " + person.home() + "\n"},
      {{"exec", "--cwd", person.project(), "--", "pwd"}, person.project() + "\n"},
      {{"exec", "--cwd", "~", "--", "pwd"}, person.home() + "\n"},
  };
  for (const auto& [arguments, output] : runs) {
    const auto end = person.run(arguments);
    INFO(end.standard_error);
    CHECK(end.exit_code == 0);
    CHECK(end.standard_output == output);
  }
}

TEST_CASE("exec returns 124 after a timeout, and prints what there was") {
  const auto end = exec({"--timeout", "500", "--", "echo part; setsid " + endless() + " & " + endless()});
  CHECK(end.exit_code == 124);
  CHECK(end.standard_output == "part\n");
  CHECK(contains(end.standard_error, "500 ms"));
  CHECK(nothing_left());
}

TEST_CASE("exec returns 130 after Ctrl-C, 143 after SIGTERM, and ends the tree") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Person person;
    const auto marker = person.project() + "/started";
    StartedProgram program({program_path(), "exec", "--cwd", person.project(), "--",
                            "setsid " + endless() + " & echo part; touch started; " + endless()},
                           person.environment({usual_path}), person.project());
    REQUIRE(wait_until([&] { return access(marker.c_str(), F_OK) == 0; }));
    kill(program.pid(), signal);
    const auto end = program.wait();
    CHECK(end.exit_code == 128 + signal);
    CHECK(end.standard_output == "part\n");
    CHECK(nothing_left());
  }
}

TEST_CASE("neither a broken pipe nor a full file is a signal for exec, and its command has the usual dispositions") {
  const Person person;
  const auto marker = person.project() + "/ignored";
  StartedProgram program({program_path(), "exec", "--cwd", person.project(), "--",
                          "grep -H SigIgn: /proc/self/status; touch ignored; " + endless()},
                         person.environment({usual_path}), person.project());
  REQUIRE(wait_until([&] { return access(marker.c_str(), F_OK) == 0; }));
  CHECK(contains(read_file("/proc/" + std::to_string(program.pid()) + "/status"), "SigIgn:\t0000000001001000\n"));
  kill(program.pid(), SIGINT);
  CHECK(contains(program.wait().standard_output, "/proc/self/status:SigIgn:\t0000000000000000\n"));
}

TEST_CASE("exec returns 128 + n for a command that a signal ended") {
  CHECK(exec({"--", "kill -9 $$"}).exit_code == 137);
}

TEST_CASE("exec --json prints the result object") {
  const auto end = exec({"--json", "--env", "A=1", "--", "echo $A; echo err >&2; exit 7"});
  CHECK(end.exit_code == 7);
  CHECK(json::parse(end.standard_output) ==
        json{{"stdout", "1\n"}, {"stderr", "err\n"}, {"exitCode", 7}, {"timedOut", false}});
  CHECK(end.standard_error.empty());
  const auto timed_out = json::parse(exec({"--json", "--timeout", "200", "--", endless()}).standard_output);
  CHECK(timed_out.at("timedOut") == true);
  CHECK(timed_out.at("exitCode").is_null());
}

TEST_CASE("exec refuses what cannot be used with exit code 2 and runs nothing") {
  const std::vector<std::string> refused[] = {{"--cwd", "/no/such/folder", "--", "echo ran"},
                                              {"--timeout", "5s", "--", "echo ran"},
                                              {"--timeout", "0", "--", "echo ran"},
                                              {"--env", "A", "--", "echo ran"},
                                              {}};
  for (const auto& arguments : refused) {
    const auto end = exec(arguments);
    INFO(end.standard_error);
    CHECK(end.exit_code == 2);
    CHECK(end.standard_output.empty());
    CHECK(end.standard_error.size() > 20);
  }
  CHECK(contains(exec(refused[0]).standard_error, "/no/such/folder"));
}

TEST_CASE("exec takes the server's options for commands before and after its name") {
  const std::string flood = "yes 0123456789abcde | head -c 5000";
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"--max-output", "1024", "exec", "--", flood},
                                                                     {"exec", "--max-output", "1024", "--", flood}}) {
    const Person person;
    const auto end = person.run(arguments, {usual_path});
    CHECK(end.exit_code == 0);
    CHECK(contains(end.standard_output, "[stdout truncated at 1024 bytes]"));
  }
  CHECK(exec({"--bash", "/no/such/bash", "--", "true"}).exit_code == 2);
}

TEST_CASE("exec loses no byte of long output") {
  const auto end = exec({"--", "seq 1 100000"});
  CHECK(end.standard_output.size() == 588'895);
  CHECK(end.standard_output.ends_with("\n100000\n"));
}
