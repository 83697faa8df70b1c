// A server reduced to its runner: runs the command in its arguments until it is killed. POSIX.
//   runner_program COMMAND [FOREGROUND-COMMAND...]   each by bash, all at once; prints "ready" when the loop runs

#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <cstdio>
#include <memory>
#include <vector>

using namespace cowork_terminal;

int main(int argc, char* argv[]) {
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  std::vector<std::shared_ptr<process::RunningCommand>> running;
  for (int i = 1; i < argc; ++i) {
    process::Command command;
    command.argv = {"/bin/bash"};
    command.script = argv[i];
    command.working_directory = "/";
    command.environment = process::Environment::current();
    command.timeout = std::chrono::minutes(5);
    running.push_back(runner->start(command, [](const process::CommandOutcome&) {
      std::puts("ended");
      std::fflush(stdout);
    }));
  }
  loop.post([] {
    std::puts("ready");
    std::fflush(stdout);
  });
  loop.run();
}
