// A server reduced to its runner: runs the lines of the variable RUNNER_COMMANDS by bash, all at once, until it is
// killed; prints "ready" when the loop runs and "ended" for each command that ends. POSIX.

#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace cowork_terminal;

int main() {
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  std::vector<std::shared_ptr<process::RunningCommand>> running;
  auto environment = process::Environment::current();
  std::istringstream commands(environment.get("RUNNER_COMMANDS").value_or(""));
  environment.remove("RUNNER_COMMANDS");
  for (std::string line; std::getline(commands, line);) {
    process::Command command;
    command.argv = {"/bin/bash"};
    command.script = line;
    command.working_directory = "/";
    command.environment = environment;
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
