#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "process/process_signal.hpp"
#include "process/process_table.hpp"
#include "process/tree_members.hpp"
#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;

namespace {

// A child that runs the child program, with an environment of one variable.
class Child {
 public:
  explicit Child(std::string variable, const char* mode = "sleep") {
    pid_ = ::fork();
    if (pid_ != 0) return;
    std::string program = CHILD_PROGRAM;
    std::string argument = mode;
    char seconds[] = "300";
    char* argv[] = {program.data(), argument.data(), seconds, nullptr};
    char* environment[] = {variable.data(), nullptr};
    ::execve(program.c_str(), argv, environment);
    ::_exit(1);
  }
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
};

}  // namespace

TEST_CASE("the table shows this process as the system describes it, sorted by pid", "[process]") {
  ProcessTable table;
  REQUIRE(table.read());
  CHECK(table.size() > 1);
  const auto by_pid = [](const ProcessEntry& left, const ProcessEntry& right) { return left.pid < right.pid; };
  CHECK(std::is_sorted(table.begin(), table.end(), by_pid));
  const ProcessEntry* self = table.find(::getpid());
  REQUIRE(self != nullptr);
  CHECK(self->parent == ::getppid());
  CHECK(self->group == ::getpgrp());
  CHECK(self->session == ::getsid(0));
  CHECK(self->start > 0);
  CHECK_FALSE(self->zombie);
  CHECK(table.find(0) == nullptr);
}

TEST_CASE("a zombie is seen as one, a process that is gone is not seen", "[process]") {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info;
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  const auto dead = read_process(child);
  REQUIRE(dead);
  CHECK(dead->zombie);
  ::waitpid(child, nullptr, 0);
  CHECK_FALSE(read_process(child));
}

TEST_CASE("a variable of the environment is found whole or not at all", "[process]") {
  RunnerFixture fixture;  // outlives the children, which it does not reap
  const std::string mark = "COWORK_TERMINAL_COMMAND=" + std::string(5'000, 'a') + "z";
  const Child marked(mark);
  const Child unmarked("X" + mark);
  fixture.pump_until([&] { return started_with_variable(marked.pid(), mark.c_str()); });
  CHECK_FALSE(started_with_variable(marked.pid(), mark.substr(0, mark.size() - 1).c_str()));
  CHECK_FALSE(started_with_variable(marked.pid(), (mark + "z").c_str()));
  CHECK_FALSE(started_with_variable(unmarked.pid(), mark.c_str()));
  CHECK_FALSE(started_with_variable(1, mark.c_str()));
}

TEST_CASE("a signal never hits another process that has got the pid since", "[process]") {
  const Child child("A=1");
  auto process = read_process(child.pid());
  REQUIRE(process);
  ProcessEntry earlier = *process;
  earlier.start -= 1;
  CHECK(signal_process(earlier, SIGKILL) == ESRCH);
  CHECK(signal_process(*process, 0) == 0);
  CHECK(signal_process(*process, SIGKILL) == 0);
}

TEST_CASE("without a sub-reaper a tree is its session, its marked and their descendants", "[process][C-20]") {
  RunnerFixture fixture;
  const std::string mark = "COWORK_TERMINAL_COMMAND=" + unique_token();
  const Child marked(mark);
  const Child leader("A=1", "leave");
  const Child stranger("A=1");
  fixture.pump_until(
      [&] { return ::getsid(leader.pid()) == leader.pid() && started_with_variable(marked.pid(), mark.c_str()); });

  TreeIdentity identity;
  identity.program = leader.pid();
  identity.mark = mark.c_str();
  TreeMembers members(identity);
  REQUIRE(members.look());
  std::vector<pid_t> found;
  for (const TreeMember& member : members) found.push_back(member.process.pid);
  std::vector<pid_t> expected{marked.pid(), leader.pid()};
  std::sort(expected.begin(), expected.end());
  CHECK(found == expected);
}

TEST_CASE("with a sub-reaper a tree is what descends from it", "[process][C-20]") {
  const Child first("A=1");
  const Child second("A=1", "leave");
  TreeIdentity identity;
  identity.adopter = ::getpid();
  identity.program = first.pid();
  TreeMembers members(identity);
  REQUIRE(members.look());
  std::vector<pid_t> found;
  for (const TreeMember& member : members) found.push_back(member.process.pid);
  std::vector<pid_t> expected{first.pid(), second.pid()};
  std::sort(expected.begin(), expected.end());
  CHECK(found == expected);
}
