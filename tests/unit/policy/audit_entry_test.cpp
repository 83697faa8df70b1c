#include "policy/audit_entry.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "support/catch.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::policy;
using nlohmann::json;

namespace {

const AuditEntry entry{"id-1", 4711,
                       std::chrono::system_clock::time_point(std::chrono::milliseconds(1'700'000'000'007))};

process::Command command(std::string text, std::vector<std::string> env_names = {}) {
  process::Command result;
  result.argv = {"/bin/bash", "-c", "--", text};
  result.working_directory = "/home/ann";
  result.environment.set("SECRET", "value-of-secret");
  result.record = process::CommandRecord{std::move(text), std::move(env_names), {}};
  return result;
}

json parsed(const std::string& line) {
  REQUIRE(line.back() == '\n');
  REQUIRE(line.find('\n') == line.size() - 1);
  return json::parse(line);
}

json ended(process::Ending ending) {
  process::CommandOutcome outcome;
  outcome.ending = std::move(ending);
  outcome.duration = std::chrono::milliseconds(1'234);
  return parsed(end_line(entry, outcome, {10, 20}));
}

}  // namespace

TEST_CASE("a start line says when, who, where and what", "[policy]") {
  const auto line = parsed(start_line(entry, command("echo \"a\nb\"", {"FOO", "BAR"})));
  CHECK(line == json{{"time", "2023-11-14T22:13:20.007Z"},
                     {"event", "start"},
                     {"id", "id-1"},
                     {"pid", 4711},
                     {"cwd", "/home/ann"},
                     {"command", "echo \"a\nb\""},
                     {"env", {"FOO", "BAR"}}});
}

TEST_CASE("values of variables never reach the log", "[policy]") {
  CHECK(start_line(entry, command("x", {"SECRET"})).find("value-of-secret") == std::string::npos);
}

TEST_CASE("a command without a record is known by its argv", "[policy]") {
  auto plain = command("ls");
  plain.record.reset();
  const auto line = parsed(start_line(entry, plain));
  CHECK(line["command"] == "/bin/bash -c -- ls");
  CHECK(line["env"] == json::array());
}

TEST_CASE("an end line says how it ended", "[policy]") {
  const auto exited = ended(process::Exited{7});
  CHECK(exited["event"] == "end");
  CHECK(exited["id"] == "id-1");
  CHECK(exited["exitCode"] == 7);
  CHECK(exited["timedOut"] == false);
  CHECK(exited["cancelled"] == false);
  CHECK(exited["durationMs"] == 1'234);
  CHECK(exited["stdoutBytes"] == 10);
  CHECK(exited["stderrBytes"] == 20);
  CHECK_FALSE(exited.contains("signal"));

  const auto timed_out = ended(process::TimedOut{});
  CHECK(timed_out["exitCode"].is_null());
  CHECK(timed_out["timedOut"] == true);
  const auto cancelled = ended(process::Cancelled{});
  CHECK(cancelled["exitCode"].is_null());
  CHECK(cancelled["cancelled"] == true);
  const auto killed = ended(process::Signaled{9});
  CHECK(killed["exitCode"] == 137);
  CHECK(killed["signal"] == process::signal_name(9));
  CHECK(ended(process::FailedToStart{"because"})["refused"] == "because");
}

TEST_CASE("a refused call leaves its command and the reason", "[policy]") {
  const auto line = parsed(refusal_line(entry, "rm x", "`cwd` does not exist"));
  CHECK(line["event"] == "refused");
  CHECK(line["command"] == "rm x");
  CHECK(line["reason"] == "`cwd` does not exist");
}

TEST_CASE("invalid bytes become U+FFFD, whatever text they are in", "[policy]") {
  auto odd = command(
      "a\xff"
      "b\xe2\x82",
      {"N\xfe"});
  odd.working_directory = "/tmp/\x80";
  const auto line = parsed(start_line(entry, odd));
  CHECK(line["command"] ==
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd");
  CHECK(line["env"][0] == "N\xef\xbf\xbd");
  CHECK(line["cwd"] == "/tmp/\xef\xbf\xbd");
}

TEST_CASE("of a long command the first 64 KiB and the size are kept, no character cut", "[policy]") {
  const auto exact = parsed(start_line(entry, command(std::string(65'536, 'x'))));
  CHECK(exact["command"].get<std::string>().size() == 65'536);
  CHECK_FALSE(exact.contains("commandBytes"));

  const auto longer = parsed(start_line(entry, command(std::string(65'537, 'x'))));
  CHECK(longer["command"].get<std::string>().size() == 65'536);
  CHECK(longer["commandBytes"] == 65'537);

  for (std::size_t lead = 65'533; lead <= 65'536; ++lead) {
    const auto split = parsed(start_line(entry, command(std::string(lead, 'x') + "\xf0\x9f\x98\x80 tail")));
    CHECK(split["command"] == std::string(lead, 'x'));
  }
  const auto garbage = parsed(start_line(entry, command(std::string(70'000, '\x80'))));
  CHECK(garbage["command"].get<std::string>().size() == 3 * 65'536);
}

TEST_CASE("a line stays bounded whatever it is given", "[policy]") {
  const auto many = start_line(entry, command("x", std::vector<std::string>(100'000, "NAME")));
  CHECK(many.size() < 200'000);
  CHECK(parsed(many)["envCount"] == 100'000);
  CHECK(refusal_line(entry, std::string(10'000'000, 'c'), std::string(10'000'000, 'r')).size() < 100'000);
}
