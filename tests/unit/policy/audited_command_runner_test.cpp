#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/policy/audit_log.hpp>
#include <cowork_terminal/policy/audited_command_runner.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::policy;
using nlohmann::json;

namespace {

// Takes commands and ends them when the test says so.
class ScriptedRunner final : public process::CommandRunner {
 public:
  class Running final : public process::RunningCommand {
   public:
    void cancel() override { cancelled = true; }
    [[nodiscard]] std::int64_t pid() const override { return 42; }
    [[nodiscard]] std::uint64_t output_bytes() const override { return 7; }
    Output take_output() override { return {{"out", false, 3}, {"error", false, 5}}; }
    bool cancelled = false;
  };

  std::shared_ptr<process::RunningCommand> start(process::Command command, process::Completion completion) override {
    if (at_start) at_start();
    commands.push_back(std::move(command));
    completions.push_back(std::move(completion));
    return running;
  }
  void end_all(std::chrono::milliseconds grace) override { ended_with = grace; }

  std::function<void()> at_start;
  std::vector<process::Command> commands;
  std::vector<process::Completion> completions;
  std::shared_ptr<Running> running = std::make_shared<Running>();
  std::optional<std::chrono::milliseconds> ended_with;
};

struct Fixture {
  explicit Fixture(const std::string& name = "log.jsonl", WithoutLog without_log = WithoutLog::refuse_commands)
      : log(folder.path(name), without_log, [this](std::string_view line) { reports.emplace_back(line); }) {}

  std::shared_ptr<process::RunningCommand> start(std::string text) {
    process::Command command;
    command.argv = {"/bin/bash", "-c", "--", text};
    command.working_directory = "/tmp";
    command.record = process::CommandRecord{std::move(text), {"FOO"}, {}};
    return audited.start(std::move(command),
                         [this](process::CommandOutcome outcome) { outcomes.push_back(std::move(outcome)); });
  }
  void complete(process::Ending ending) {
    process::CommandOutcome outcome;
    outcome.ending = std::move(ending);
    outcome.standard_output.total_bytes = 100;
    outcome.standard_error.total_bytes = 200;
    next.completions.back()(std::move(outcome));
  }
  std::vector<json> lines() const {
    std::vector<json> result;
    std::ifstream stream(log.file(), std::ios::binary);
    for (std::string line; std::getline(stream, line);) result.push_back(json::parse(line));
    return result;
  }

  TemporaryFolder folder;
  std::vector<std::string> reports;
  std::vector<process::CommandOutcome> outcomes;
  loop::EventLoop loop;
  ScriptedRunner next;
  AuditLog log;
  AuditedCommandRunner audited{loop, next, log};
};

}  // namespace

TEST_CASE("the start line is written before the launch, the end line before the completion", "[policy][K123]") {
  Fixture fixture;
  std::size_t lines_at_start = 0;
  fixture.next.at_start = [&] { lines_at_start = fixture.lines().size(); };
  fixture.start("echo hi");
  CHECK(lines_at_start == 1);
  CHECK(fixture.lines().size() == 1);
  fixture.complete(process::Exited{3});
  const auto lines = fixture.lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["event"] == "start");
  CHECK(lines[0]["command"] == "echo hi");
  CHECK(lines[0]["cwd"] == "/tmp");
  CHECK(lines[0]["env"] == json{"FOO"});
  CHECK(lines[1]["event"] == "end");
  CHECK(lines[1]["id"] == lines[0]["id"]);
  CHECK(lines[1]["exitCode"] == 3);
  REQUIRE(fixture.outcomes.size() == 1);
  CHECK(std::get<process::Exited>(fixture.outcomes[0].ending).code == 3);
}

TEST_CASE("a command goes to the next runner as it came, and is driven through the decorator", "[policy]") {
  Fixture fixture;
  const auto running = fixture.start("ls");
  CHECK(fixture.next.commands.at(0).argv.back() == "ls");
  CHECK(running->pid() == 42);
  CHECK(running->output_bytes() == 7);
  running->cancel();
  CHECK(fixture.next.running->cancelled);
  fixture.audited.end_all(std::chrono::milliseconds(50));
  CHECK(fixture.next.ended_with == std::chrono::milliseconds(50));
}

TEST_CASE("output that was taken while the command ran is counted too", "[policy]") {
  Fixture fixture;
  const auto running = fixture.start("x");
  CHECK(running->take_output().standard_output.text == "out");
  running->take_output();
  fixture.complete(process::Exited{0});
  CHECK(fixture.lines().at(1)["stdoutBytes"] == 106);
  CHECK(fixture.lines().at(1)["stderrBytes"] == 210);
}

TEST_CASE("what another runner refuses leaves an end line with the reason", "[policy]") {
  Fixture fixture;
  fixture.start("x");
  fixture.complete(process::FailedToStart{"too many are waiting"});
  CHECK(fixture.lines().at(1)["refused"] == "too many are waiting");
}

TEST_CASE("an id of the call's own is used", "[policy]") {
  Fixture fixture;
  process::Command command;
  command.argv = {"/bin/true"};
  command.record = process::CommandRecord{"true", {}, "call-9"};
  fixture.audited.start(command, [](const process::CommandOutcome&) {});
  CHECK(fixture.lines().at(0)["id"] == "call-9");
}

TEST_CASE("without the log of --audit-log nothing is launched, and the completion comes later", "[policy][K123]") {
  Fixture refusing("x", WithoutLog::refuse_commands);
  refusing.folder.make_folder("x");
  const auto running = refusing.start("echo hi");
  CHECK(refusing.next.commands.empty());
  CHECK(refusing.outcomes.empty());
  running->cancel();
  CHECK(running->pid() == 0);
  refusing.loop.post([&] { refusing.loop.stop(); });
  refusing.loop.run();
  REQUIRE(refusing.outcomes.size() == 1);
  CHECK(std::get<process::FailedToStart>(refusing.outcomes[0].ending).reason.find("--audit-log") != std::string::npos);
}

TEST_CASE("a log that nobody asked for stops no command", "[policy][K123]") {
  Fixture fixture("x", WithoutLog::run_commands);
  fixture.folder.make_folder("x");
  fixture.start("echo hi");
  fixture.complete(process::Exited{0});
  CHECK(fixture.next.commands.size() == 1);
  CHECK(fixture.outcomes.size() == 1);
  CHECK(fixture.reports.size() == 1);
}
