#include <cowork_terminal/app/run_program.hpp>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <csignal>
#include <utility>

namespace cowork_terminal::app {

ProgramRun run_program(process::Command command) {
  loop::EventLoop loop;
  const auto runner = process::make_local_command_runner(loop);
  ProgramRun run;
  const auto running = runner->start(std::move(command), [&](process::CommandOutcome outcome) {
    run.outcome = std::move(outcome);
    loop.stop();
  });
  loop.on_signals({SIGINT, SIGTERM}, [&](int signal) {
    run.signal = signal;
    running->cancel();
  });
  loop.run();
  return run;
}

}  // namespace cowork_terminal::app
