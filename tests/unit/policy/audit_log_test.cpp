#include <cowork_terminal/policy/audit_log.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace cowork_terminal;
using namespace cowork_terminal::policy;
using nlohmann::json;

namespace {

std::vector<json> lines_of(const std::string& file) {
  std::vector<json> lines;
  std::ifstream stream(file, std::ios::binary);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

process::Command command() {
  process::Command result;
  result.argv = {"/bin/bash"};
  result.record = process::CommandRecord{"echo hi", {}, {}};
  return result;
}

struct Reports {
  AuditLog::Report report() {
    return [this](std::string_view line) { lines.emplace_back(line); };
  }
  std::vector<std::string> lines;
};

}  // namespace

TEST_CASE("nothing is made before the first line", "[policy][C-25]") {
  const TemporaryFolder folder;
  const AuditLog log(folder.path("state/log.jsonl"), WithoutLog::run_commands, {});
  CHECK_FALSE(std::ifstream(folder.path("state/log.jsonl")));
  CHECK(log.file() == folder.path("state/log.jsonl"));
}

TEST_CASE("start, end and refusal are lines of one file, its folders made on the way", "[policy]") {
  const TemporaryFolder folder;
  Reports reports;
  AuditLog log(folder.path("a/b/log.jsonl"), WithoutLog::refuse_commands, reports.report());
  CHECK_FALSE(log.started("x", command()));
  log.ended("x", {}, {1, 2});
  log.refused("ls", "no");
  const auto lines = lines_of(log.file());
  REQUIRE(lines.size() == 3);
  CHECK(lines[0]["id"] == lines[1]["id"]);
  CHECK(lines[0]["pid"].get<int>() > 0);
  CHECK(lines[2]["event"] == "refused");
  CHECK(reports.lines.empty());
}

TEST_CASE("ids differ, also between two servers", "[policy]") {
  AuditLog one("/x", WithoutLog::run_commands, {});
  AuditLog two("/x", WithoutLog::run_commands, {});
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) {
    ids.insert(one.new_id());
    ids.insert(two.new_id());
  }
  CHECK(ids.size() == 200);
}

TEST_CASE("a log nobody asked for that cannot be written is said once, and commands run", "[policy][K123]") {
  const TemporaryFolder folder;
  folder.write("file", "");
  Reports reports;
  AuditLog log(folder.path("file/log.jsonl"), WithoutLog::run_commands, reports.report());
  for (int i = 0; i < 3; ++i) {
    CHECK_FALSE(log.started("x", command()));
    log.ended("x", {}, {});
    log.refused("ls", "no");
  }
  REQUIRE(reports.lines.size() == 1);
  CHECK(reports.lines[0].find("--no-audit-log") != std::string::npos);
  CHECK(log.problem());
}

TEST_CASE("without the log of --audit-log no command runs, and the text says what to do", "[policy][K123]") {
  const TemporaryFolder folder;
  folder.write("file", "");
  Reports reports;
  AuditLog log(folder.path("file/log.jsonl"), WithoutLog::refuse_commands, reports.report());
  const auto refusal = log.started("x", command());
  REQUIRE(refusal);
  CHECK(refusal->find(log.file()) != std::string::npos);
  CHECK(refusal->find("--no-audit-log") != std::string::npos);
  CHECK(log.started("y", command()));
  CHECK(reports.lines.size() == 1);
}

TEST_CASE("a log that becomes writable again is written again", "[policy]") {
  const TemporaryFolder folder;
  folder.make_folder("log.jsonl");
  Reports reports;
  AuditLog log(folder.path("log.jsonl"), WithoutLog::refuse_commands, reports.report());
  CHECK(log.started("x", command()));
  std::filesystem::remove(folder.path("log.jsonl"));
  CHECK_FALSE(log.started("y", command()));
  CHECK_FALSE(log.problem());
  CHECK(lines_of(log.file()).size() == 1);
}
