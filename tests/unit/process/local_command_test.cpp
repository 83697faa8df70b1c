#include "process/local_command.hpp"

#include <cowork_terminal/loop/asio.hpp>
#include <csignal>
#include <optional>
#include <vector>

#include "support/catch.hpp"

using namespace cowork_terminal::process;
using cowork_terminal::loop::EventLoop;
using std::chrono::milliseconds;

namespace {

// A platform whose trees do what the test says.
class ScriptedLauncher final : public Launcher {
 public:
  class Tree final : public ProcessTree {
   public:
    explicit Tree(ScriptedLauncher& launcher) : launcher_(launcher) {}
    ~Tree() override { launcher_.listener = nullptr; }
    [[nodiscard]] std::int64_t pid() const override { return 42; }
    void end(milliseconds grace) override { launcher_.graces.push_back(grace); }

   private:
    ScriptedLauncher& launcher_;
  };

  std::variant<std::unique_ptr<ProcessTree>, FailedToStart> launch(const Command&,
                                                                   ProcessTree::Listener& told) override {
    if (failure) return FailedToStart{*failure};
    listener = &told;
    return std::make_unique<Tree>(*this);
  }

  std::optional<std::string> failure;
  ProcessTree::Listener* listener = nullptr;
  std::vector<milliseconds> graces;
};

struct CommandFixture {
  explicit CommandFixture(milliseconds timeout = milliseconds(60'000),
                          std::optional<std::string> failure = std::nullopt) {
    launcher.failure = std::move(failure);
    Command description;
    description.argv = {"/program"};
    description.timeout = timeout;
    command = std::make_shared<LocalCommand>(loop, description, [this](LocalCommand&, CommandOutcome ended) {
      ++completions;
      outcome = std::move(ended);
    });
    command->launch(launcher, description);
  }
  ProcessTree::Listener& tree() { return *launcher.listener; }
  void run_posted() {
    loop.asio().context.restart();
    loop.asio().context.poll();
  }
  void run_until_ended() {
    loop.asio().context.restart();
    while (completions == 0 && loop.asio().context.run_one_for(std::chrono::seconds(20)) > 0) continue;
  }
  template <class Kind>
  bool ended_as() {
    run_posted();
    return completions == 1 && std::holds_alternative<Kind>(outcome.ending);
  }

  EventLoop loop;
  ScriptedLauncher launcher;
  std::shared_ptr<LocalCommand> command;
  int completions = 0;
  CommandOutcome outcome;
};

}  // namespace

TEST_CASE("a command whose pipes are closed completes with its exit, from the loop", "[process][C-19]") {
  CommandFixture fixture;
  fixture.tree().on_output(Stream::standard_output, "out");
  fixture.tree().on_output(Stream::standard_error, "err");
  CHECK(fixture.command->output_bytes() == 6);
  fixture.tree().on_output_end();
  fixture.tree().on_exit(Exited{3});
  CHECK(fixture.completions == 0);
  REQUIRE(fixture.ended_as<Exited>());
  CHECK(std::get<Exited>(fixture.outcome.ending).code == 3);
  CHECK(fixture.outcome.standard_output.text == "out");
  CHECK(fixture.outcome.standard_error.text == "err");
  CHECK(fixture.launcher.listener == nullptr);  // the tree was let go
}

TEST_CASE("after the exit output goes on until its end", "[process][C-19]") {
  CommandFixture fixture;
  fixture.tree().on_exit(Exited{0});
  fixture.tree().on_output(Stream::standard_output, "late");
  fixture.run_posted();
  CHECK(fixture.completions == 0);
  fixture.tree().on_output_end();
  REQUIRE(fixture.ended_as<Exited>());
  CHECK(fixture.outcome.standard_output.text == "late");
}

TEST_CASE("after the exit output goes on for 250 ms at most", "[process][C-19][K01]") {
  CommandFixture fixture;
  const auto start = std::chrono::steady_clock::now();
  fixture.tree().on_exit(Exited{0});
  fixture.run_until_ended();
  CHECK(std::chrono::steady_clock::now() - start >= milliseconds(250));
  CHECK(fixture.ended_as<Exited>());
}

TEST_CASE("a launch that fails at once completes later all the same", "[process]") {
  CommandFixture fixture(milliseconds(1'000), "no room");
  CHECK(fixture.completions == 0);
  fixture.command->cancel();
  REQUIRE(fixture.ended_as<FailedToStart>());
  CHECK(std::get<FailedToStart>(fixture.outcome.ending).reason == "no room");
}

TEST_CASE("a timeout ends the tree with 2 s of grace and completes when it is gone", "[process][C-20][K10]") {
  CommandFixture fixture(milliseconds(1));
  fixture.tree().on_output(Stream::standard_output, "partial");
  while (fixture.launcher.graces.empty()) fixture.loop.asio().context.run_one_for(std::chrono::seconds(20));
  CHECK(fixture.launcher.graces == std::vector{milliseconds(2'000)});
  fixture.run_posted();
  CHECK(fixture.completions == 0);
  fixture.tree().on_tree_gone({Signaled{SIGTERM}, {"a note"}});
  REQUIRE(fixture.ended_as<TimedOut>());
  CHECK(fixture.outcome.standard_output.text == "partial");
  CHECK(fixture.outcome.notes == std::vector<std::string>{"a note"});
}

TEST_CASE("a program that ended by itself while its timeout ran out has not timed out", "[process][C-20]") {
  CommandFixture fixture(milliseconds(1));
  while (fixture.launcher.graces.empty()) fixture.loop.asio().context.run_one_for(std::chrono::seconds(20));
  fixture.tree().on_output_end();
  fixture.tree().on_exit(Exited{0});
  CHECK(fixture.ended_as<Exited>());
}

TEST_CASE("no timeout fires once the program has ended", "[process][C-20]") {
  CommandFixture fixture(milliseconds(100));
  fixture.tree().on_exit(Exited{0});
  fixture.run_until_ended();
  CHECK(fixture.launcher.graces.empty());
  CHECK(fixture.ended_as<Exited>());
}

TEST_CASE("cancelling ends the tree and completes as cancelled, once", "[process][C-21][K78]") {
  CommandFixture fixture;
  fixture.command->cancel();
  CHECK(fixture.launcher.graces == std::vector{milliseconds(2'000)});
  fixture.tree().on_tree_gone({});
  REQUIRE(fixture.ended_as<Cancelled>());
  fixture.command->cancel();
  fixture.run_posted();
  CHECK(fixture.completions == 1);
}

TEST_CASE("cancelling while output is awaited after the exit completes at once", "[process][C-21]") {
  CommandFixture fixture;
  fixture.tree().on_exit(Exited{0});
  fixture.command->cancel();
  CHECK(fixture.ended_as<Cancelled>());
  CHECK(fixture.launcher.graces.empty());
}

TEST_CASE("at the end of the server a command ends as what became of it, with a note", "[process][C-26]") {
  CommandFixture fixture;
  fixture.command->end_for_shutdown(milliseconds(500));
  fixture.command->end_for_shutdown(milliseconds(50));
  CHECK(fixture.launcher.graces == std::vector{milliseconds(500), milliseconds(50)});
  fixture.tree().on_tree_gone({Signaled{SIGTERM}, {}});
  REQUIRE(fixture.ended_as<Signaled>());
  REQUIRE(fixture.outcome.notes.size() == 1);
  CHECK(fixture.outcome.notes[0].find("shutting down") != std::string::npos);
}

TEST_CASE("output taken is not in the outcome again", "[process]") {
  CommandFixture fixture;
  fixture.tree().on_output(Stream::standard_output, "first");
  CHECK(fixture.command->take_output().standard_output.text == "first");
  fixture.tree().on_output(Stream::standard_output, "second");
  fixture.tree().on_output_end();
  fixture.tree().on_exit(Exited{0});
  REQUIRE(fixture.ended_as<Exited>());
  CHECK(fixture.outcome.standard_output.text == "second");
}

TEST_CASE("an abandoned command lets go of its tree and completes no more", "[process]") {
  CommandFixture fixture;
  fixture.command->abandon();
  fixture.run_posted();
  CHECK(fixture.launcher.listener == nullptr);
  CHECK(fixture.completions == 0);
}
