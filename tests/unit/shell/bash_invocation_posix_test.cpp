#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <cowork_terminal/shell/bash_invocation.hpp>
#include <cowork_terminal/shell/bash_locator.hpp>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "shell/argument_limit.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "unit/shell/run_program.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::shell;

namespace {

std::string bash() { return search_bash().found.value().path; }

ProgramResult run(BashInvocation invocation, const TemporaryFolder& folder) {
  if (invocation.script) invocation.argv.push_back(folder.write("script file", *invocation.script));
  return run_program(std::move(invocation.argv));
}

// The script road, which is otherwise taken by long commands only.
ProgramResult run_as_script(const std::string& command, const TemporaryFolder& folder) {
  auto invocation = invoke_bash(bash(), std::string(argument_limit() + 1, '#'));
  invocation.script = command;
  return run(std::move(invocation), folder);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// bash's messages less the part of their prefix that tells the two roads apart.
std::string plain(std::string messages) {
  replace_all(messages, "bash: -c: line", "bash: line");
  replace_all(messages, "bash: eval: line", "bash: line");
  return messages;
}

const std::vector<std::string> commands = {
    // What a file of commands would make of it.
    "", " ", "\n", "#", "# only a comment", "-n x", "--help", "--", "-c ls", "echo a #", "echo 'a' \\", "echo a\\\n",
    "\n\n echo $LINENO", "#!/bin/sh\necho a", "#!/usr/bin/env python3\nprint(1)", "#! /nonexistent\nfalse",
    "\x7f"
    "ELF\necho a",
    "\xff\xfe\necho a",
    "\xef\xbb\xbf"
    "echo a",
    "\x1b[31m", "\x01\x02\x03", "\x01\necho a", "\x80", "echo \x01\x02\x7f\x80\x81 | od -c", "echo a\r\necho b\r\n",
    "\r\necho a", "cat <<E\r\nfoo\r\nE\r\n",
    // Terminators that are missing.
    "cat <<E\nfoo", "cat <<E\nfoo\n", "cat <<'E'\nfoo\\", "cat <<-E\n\tx\n\tE", "cat <<A <<B\nx\nA\ny\nB", "echo \"x",
    "echo 'x\n", "echo `x", "echo $(", "echo $(echo hi", "echo $((", "{ echo a", "( echo a", "case x in", "if then",
    "echo a\nif then", "((", "[[ a", "for i in 1 2; do echo $i", "echo a |", "echo a &&", "echo a ;; echo b", "done",
    "fi", ")", "true; }", "; echo",
    // Errors that end a shell, or do not.
    "set -u; echo $nosuch; echo y", "set -u\necho $nosuch\necho y", "echo ${x?}; echo y", "echo ${x:?foo}\necho y",
    "readonly x=1; x=2; echo y", "readonly x=1\nx=2\necho y", "return 3; echo y", "break; echo y",
    "exec nosuch_zz; echo y", "nosuch_zz", "/etc/passwd", "exec 2>/nosuch/x; echo y", ". /nosuch; echo y",
    "echo ${x!}; echo y", "echo $((1/0)); echo y", "echo $((1/0))\necho y", "x[1/0]=3\necho y",
    "declare -i x=1/0; echo y", "eval if; echo y", "eval if\necho y", "set -e; false; echo y", "set -e\nfalse\necho y",
    "set -o posix; . nosuch; echo y", "set -o posix; readonly x=1; x=2; echo y", "set -n; echo y", "set -n\necho y",
    "set -t; echo a\necho b", "exit", "false; exit", "exit 256", "exit 255", "(exit 5)", "! true", "kill -9 $$",
    "kill -TERM $$; echo x", "cat; echo rc=$?",
    // What the shell knows of itself.
    "echo $0 $# \"$@\" $*", "echo $-", "echo $_", "echo $SHLVL $BASH_SUBSHELL", "echo $BASHOPTS $SHELLOPTS", "shopt",
    "set -o", "f(){ echo ${#FUNCNAME[@]} ${FUNCNAME[*]} ${BASH_LINENO[*]}; caller; }\n\nf", "set -v\necho y",
    "history; echo $?", "set -o history; echo a\nhistory", "set -H; echo !!",
    "shopt -s expand_aliases\nalias z='echo Z'\nz", "shopt -s extglob\necho @(a|b)", "shopt -s extglob; echo @(a|b)",
    "trap 'echo bye' EXIT; exit 3", "trap 'echo E $LINENO' ERR\nfalse\n\nfalse",
    "trap 'echo D $LINENO' DEBUG\necho a\necho b", "read x; echo $?", "set -m; sleep 0 & wait; echo $-",
    "exec >&-; echo x", "exec 3>&1; echo x >&3", "jobs; wait; echo $?", "mapfile -t x < <(seq 3); echo ${#x[@]}",
    "echo \"$BASH_EXECUTION_STRING\"", "printf '%s|' \"$IFS\" | od -c", "ls /proc/self/fd | wc -l",
    "set -- a b; shift; echo $1 $#"};

}  // namespace

TEST_CASE("a command does the same by both roads to bash", "[shell][C-15]") {
  // bash takes `$_` from there.
  ::unsetenv("_");
  const TemporaryFolder folder;
  for (const auto& command : commands) {
    CAPTURE(command);
    const auto by_argument = run(invoke_bash(bash(), command), folder);
    const auto by_script = run_as_script(command, folder);
    CHECK(by_script.exit_code == by_argument.exit_code);
    CHECK(by_script.standard_output == by_argument.standard_output);
    CHECK(plain(by_script.standard_error) == plain(by_argument.standard_error));
  }
}

TEST_CASE("the path of the script may hold anything, and the file is not needed while the command runs",
          "[shell][C-15]") {
  const TemporaryFolder folder;
  auto argv = invoke_bash(bash(), std::string(argument_limit() + 1, '#')).argv;
  argv.push_back(folder.write("it's a \"script\" $x *", "cd '" + folder.path() + "' && rm it* && ls && exit 3"));
  const auto result = run_program(argv);
  CHECK(result.exit_code == 3);
  CHECK(result.standard_output.empty());
}

TEST_CASE("a script that is not there runs nothing and fails", "[shell][C-15]") {
  const TemporaryFolder folder;
  auto argv = invoke_bash(bash(), std::string(argument_limit() + 1, '#')).argv;
  argv.push_back(folder.path("gone"));
  const auto result = run_program(argv);
  CHECK(result.exit_code == 1);
  CHECK(result.standard_error.find("gone: No such file or directory") != std::string::npos);
}

TEST_CASE("commands at, just below and beyond the kernel's limit arrive whole", "[shell][C-15]") {
  const TemporaryFolder folder;
  const std::string_view head = "x='";
  const std::string_view tail = "'; echo ${#x}";
  for (const std::size_t size : {argument_limit() - 1, argument_limit(), argument_limit() + 1, argument_limit() * 8}) {
    const std::size_t filling = size - head.size() - tail.size();
    std::string command{head};
    command.append(filling, '\\').append(tail);
    const auto result = run(invoke_bash(bash(), std::move(command)), folder);
    CHECK(result.exit_code == 0);
    CHECK(result.standard_output == std::to_string(filling) + "\n");
  }
}

TEST_CASE("every byte but NUL reaches the command through a script", "[shell][C-15]") {
  const TemporaryFolder folder;
  std::string bytes;
  for (int value = 1; value < 256; ++value) {
    if (value != '\'') bytes += static_cast<char>(value);
  }
  std::string text;
  while (text.size() < argument_limit()) text += bytes;
  const auto result = run(invoke_bash(bash(), "printf %s '" + text + "'"), folder);
  CHECK(result.standard_output == text);
}

TEST_CASE("a long command runs to its end through the runner, its script reachable and gone afterwards",
          "[shell][C-15]") {
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  auto invocation =
      invoke_bash(bash(), "# " + std::string(argument_limit(), '#') + "\necho \"$0 $#\"; set -u; echo $nosuch; echo y");
  process::Command command;
  command.argv = std::move(invocation.argv);
  command.script = std::move(invocation.script);
  command.working_directory = "/";
  command.environment = process::Environment::current();
  process::CommandOutcome outcome;
  runner->start(std::move(command), [&](process::CommandOutcome ended) {
    outcome = std::move(ended);
    loop.stop();
  });
  loop.run();
  CAPTURE(outcome.standard_error.text);
  REQUIRE(std::holds_alternative<process::Exited>(outcome.ending));
  CHECK(std::get<process::Exited>(outcome.ending).code == 127);
  CHECK(outcome.standard_output.text == bash() + " 0\n");
}
