#include <cowork_terminal/loop/asio.hpp>
#include <cowork_terminal/process/queued_command_runner.hpp>
#include <optional>
#include <vector>

#include "support/catch.hpp"

using namespace cowork_terminal::process;
using cowork_terminal::loop::EventLoop;

namespace {

// Takes commands and ends them when the test says so.
class ScriptedRunner final : public CommandRunner {
 public:
  class Running final : public RunningCommand {
   public:
    void cancel() override { cancelled = true; }
    [[nodiscard]] std::int64_t pid() const override { return 42; }
    [[nodiscard]] std::uint64_t output_bytes() const override { return 7; }
    Output take_output() override { return {}; }

    std::string name;
    Completion completion;
    bool cancelled = false;
  };

  // As a real runner: what has not completed by now never will, and is let go.
  ~ScriptedRunner() override {
    for (const auto& running : started) running->completion = nullptr;
  }

  std::shared_ptr<RunningCommand> start(Command command, Completion completion) override {
    const auto running = std::make_shared<Running>();
    running->name = command.argv.front();
    running->completion = std::move(completion);
    started.push_back(running);
    return running;
  }
  void end_all(std::chrono::milliseconds grace) override { ended_with = grace; }

  void complete(std::size_t index) {
    CommandOutcome outcome;
    outcome.ending = Exited{0};
    std::exchange(started.at(index)->completion, nullptr)(std::move(outcome));
  }

  std::vector<std::shared_ptr<Running>> started;
  std::optional<std::chrono::milliseconds> ended_with;
};

struct QueueFixture {
  explicit QueueFixture(QueueLimits limits) : queue(std::make_unique<QueuedCommandRunner>(loop, next, limits)) {}

  std::shared_ptr<RunningCommand> start(const std::string& name) {
    Command command;
    command.argv = {name};
    return queue->start(command, [this, name](CommandOutcome outcome) {
      completed.push_back(name);
      endings.push_back(outcome.ending);
    });
  }
  void run_posted() {
    loop.asio().context.restart();
    loop.asio().context.poll();
  }

  EventLoop loop;
  ScriptedRunner next;
  std::unique_ptr<QueuedCommandRunner> queue;
  std::vector<std::string> completed;
  std::vector<Ending> endings;
};

std::string reason_of(const Ending& ending) {
  const auto* failure = std::get_if<FailedToStart>(&ending);
  return failure != nullptr ? failure->reason : "";
}

}  // namespace

TEST_CASE("at most the limit runs at once; the others wait, first come, first served", "[process][C-22]") {
  QueueFixture fixture({.running = 2, .waiting = 10, .waiting_bytes = 1'000});
  for (const char* name : {"a", "b", "c", "d"}) fixture.start(name);
  REQUIRE(fixture.next.started.size() == 2);

  fixture.next.complete(1);
  REQUIRE(fixture.next.started.size() == 3);
  CHECK(fixture.next.started[2]->name == "c");
  fixture.next.complete(0);
  REQUIRE(fixture.next.started.size() == 4);
  CHECK(fixture.next.started[3]->name == "d");
  CHECK(fixture.completed == std::vector<std::string>{"b", "a"});
}

TEST_CASE("a waiting command has no pid and no output, a running one has those of its program", "[process][C-22]") {
  QueueFixture fixture({.running = 1, .waiting = 10, .waiting_bytes = 1'000});
  const auto running = fixture.start("a");
  const auto waiting = fixture.start("b");
  CHECK(running->pid() == 42);
  CHECK(running->output_bytes() == 7);
  CHECK(waiting->pid() == 0);
  CHECK(waiting->output_bytes() == 0);
  fixture.next.complete(0);
  CHECK(waiting->pid() == 42);
}

TEST_CASE("beyond the waiting limit a command is refused, not before start() has returned", "[process][C-22]") {
  QueueFixture fixture({.running = 1, .waiting = 2, .waiting_bytes = 1'000});
  for (const char* name : {"a", "b", "c", "d"}) fixture.start(name);
  CHECK(fixture.completed.empty());
  fixture.run_posted();
  REQUIRE(fixture.completed == std::vector<std::string>{"d"});
  CHECK(reason_of(fixture.endings[0]).find("2 more are waiting") != std::string::npos);
}

TEST_CASE("arguments that wait are limited in bytes, counting argv, script and environment", "[process][C-22]") {
  QueueFixture fixture({.running = 1, .waiting = 10, .waiting_bytes = 100});
  fixture.start("a");
  fixture.start(std::string(60, 'b'));
  Command large;
  large.argv = {"c"};
  large.script = std::string(30, 's');
  large.environment.set("NAME", "123456");
  fixture.queue->start(large, [&](CommandOutcome outcome) { fixture.endings.push_back(outcome.ending); });
  fixture.run_posted();
  REQUIRE(fixture.endings.size() == 1);
  CHECK(reason_of(fixture.endings[0]).find("60 bytes") != std::string::npos);

  fixture.next.complete(0);
  large.argv = {"d"};
  fixture.queue->start(large, [](const CommandOutcome&) {});
  fixture.run_posted();
  CHECK(fixture.endings.size() == 2);  // that of "a": there was room again
}

TEST_CASE("a cancelled waiting command never starts and completes as cancelled, once", "[process][C-21][C-22]") {
  QueueFixture fixture({.running = 1, .waiting = 10, .waiting_bytes = 1'000});
  fixture.start("a");
  const auto waiting = fixture.start("b");
  waiting->cancel();
  waiting->cancel();
  CHECK(fixture.completed.empty());
  fixture.run_posted();
  REQUIRE(fixture.completed == std::vector<std::string>{"b"});
  CHECK(std::holds_alternative<Cancelled>(fixture.endings[0]));
  fixture.next.complete(0);
  CHECK(fixture.next.started.size() == 1);
}

TEST_CASE("cancelling a running command reaches it", "[process][C-21]") {
  QueueFixture fixture({.running = 1, .waiting = 10, .waiting_bytes = 1'000});
  fixture.start("a")->cancel();
  CHECK(fixture.next.started[0]->cancelled);
}

TEST_CASE("while paused nothing is launched", "[process][C-27]") {
  QueueFixture fixture({.running = 2, .waiting = 10, .waiting_bytes = 1'000});
  fixture.start("a");
  fixture.queue->pause();
  fixture.start("b");
  fixture.next.complete(0);
  CHECK(fixture.next.started.size() == 1);
  fixture.queue->resume();
  CHECK(fixture.next.started.size() == 2);
}

TEST_CASE("an answer that pauses the queue holds back the next command", "[process][C-27]") {
  QueueFixture fixture({.running = 1, .waiting = 10, .waiting_bytes = 1'000});
  Command command;
  command.argv = {"a"};
  fixture.queue->start(command, [&](const CommandOutcome&) { fixture.queue->pause(); });
  fixture.start("b");
  fixture.next.complete(0);
  CHECK(fixture.next.started.size() == 1);
}

TEST_CASE("at the end of the server the waiting are refused and the running are ended", "[process][C-26]") {
  QueueFixture fixture({.running = 1, .waiting = 10, .waiting_bytes = 1'000});
  fixture.start("a");
  fixture.start("b");
  fixture.queue->end_all(std::chrono::milliseconds(50));
  fixture.start("c");
  fixture.run_posted();
  CHECK(fixture.completed == std::vector<std::string>{"b", "c"});
  for (const auto& ending : fixture.endings) CHECK(reason_of(ending).find("shutting down") != std::string::npos);
  CHECK(fixture.next.ended_with == std::chrono::milliseconds(50));
  fixture.next.complete(0);
  CHECK(fixture.next.started.size() == 1);
}

TEST_CASE("a completion that comes after the queue is gone is still delivered", "[process]") {
  QueueFixture fixture({.running = 1, .waiting = 10, .waiting_bytes = 1'000});
  fixture.start("a");
  fixture.start("b");
  fixture.queue.reset();
  fixture.next.complete(0);
  CHECK(fixture.completed == std::vector<std::string>{"a"});
  CHECK(fixture.next.started.size() == 1);
}
