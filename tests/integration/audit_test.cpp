// The log of commands (contract §7, --audit-log), as the program writes it.

#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "support/catch.hpp"
#include "support/server_process.hpp"

using namespace cowork_terminal::testing;

namespace {

std::vector<json> lines_of(const std::string& path) {
  std::vector<json> lines;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
  return lines;
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

struct Session : ServerProcess {
  explicit Session(ServerStart start) : ServerProcess(std::move(start)) { initialize(); }
};

}  // namespace

TEST_CASE("every command leaves a start and an end line in the user's state folder", "[audit][K123]") {
  const TemporaryFolder state;
  Session server({.environment = {{"XDG_STATE_HOME", state.path()}}, .audit_log = true});
  CHECK_FALSE(std::filesystem::exists(state.file("cowork-terminal-mcp")));
  server.run_with({{"command", "echo hi; exit 3"}, {"cwd", "/tmp"}, {"env", {{"SECRET", "hunter2"}}}});
  server.execute({{"command", "true"}, {"cwd", "/no/such"}});
  const auto file = state.file("cowork-terminal-mcp/commands.jsonl");
  REQUIRE(wait_until([&] { return lines_of(file).size() == 3; }));
  const auto lines = lines_of(file);
  CHECK(lines[0].at("event") == "start");
  CHECK(lines[0].at("command") == "echo hi; exit 3");
  CHECK(lines[0].at("cwd") == "/tmp");
  CHECK(lines[0].at("env") == json::array({"SECRET"}));
  CHECK(lines[1].at("event") == "end");
  CHECK(lines[1].at("id") == lines[0].at("id"));
  CHECK(lines[1].at("exitCode") == 3);
  CHECK(lines[1].at("stdoutBytes") == 3);
  CHECK(lines[2].at("event") == "refused");
  CHECK(lines[2].at("reason").get<std::string>().find("/no/such") != std::string::npos);
  CHECK(read_file(file).find("hunter2") == std::string::npos);
  CHECK(mode_of(file) == 0600);
  CHECK(mode_of(state.file("cowork-terminal-mcp")) == 0700);
}

TEST_CASE("an explicit log that cannot be written refuses commands, the usual one does not", "[audit][K123]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("file")) << "not a folder";
  Session strict({.arguments = {"--audit-log", folder.file("file/log.jsonl")}, .audit_log = true});
  const auto refused = strict.execute({{"command", "touch " + folder.file("ran")}});
  CHECK(refused.at("isError") == true);
  CHECK(refused.at("content").at(0).at("text").get<std::string>().find("log.jsonl") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.file("ran")));

  Session lenient({.environment = {{"XDG_STATE_HOME", folder.file("file")}}, .audit_log = true});
  for (int i = 0; i < 3; ++i) CHECK(lenient.run("echo ok").at("stdout") == "ok\n");
  const auto told = lenient.standard_error();
  CHECK(told.find("file/cowork-terminal-mcp") != std::string::npos);
  CHECK(told.find("file/cowork-terminal-mcp") == told.rfind("file/cowork-terminal-mcp"));
}

TEST_CASE("a log that may not grow refuses commands and does not end the server", "[audit][K123]") {
  const TemporaryFolder folder;
  Session server({.arguments = {"--audit-log", folder.file("log.jsonl")},
                  .in_child =
                      [] {
                        const rlimit limit{2'000, 2'000};
                        setrlimit(RLIMIT_FSIZE, &limit);
                      },
                  .audit_log = true});
  int refused = 0;
  for (int i = 0; i < 30; ++i) refused += server.execute({{"command", "true"}}).at("isError") == true ? 1 : 0;
  CHECK(refused > 0);
  CHECK(refused < 30);
  CHECK(server.execute({{"command", "true"}}).at("content").at(0).at("text").get<std::string>().find("log.jsonl") !=
        std::string::npos);
}

TEST_CASE("four servers write one log and no line is torn or lost", "[audit]") {
  const TemporaryFolder folder;
  const auto log = folder.file("log.jsonl");
  std::vector<std::unique_ptr<Session>> servers;
  constexpr int calls = 100;
  for (int i = 0; i < 4; ++i)
    servers.push_back(std::make_unique<Session>(ServerStart{.arguments = {"--audit-log", log}, .audit_log = true}));
  for (int call = 0; call < calls; ++call) {
    for (auto& server : servers) server->call({{"command", "true"}});
  }
  for (auto& server : servers) {
    for (int call = 0; call < calls; ++call) server->read_message();
  }
  std::map<std::string, std::pair<int, int>> seen;
  for (const auto& line : lines_of(log)) {
    auto& counts = seen[line.at("id")];
    (line.at("event") == "start" ? counts.first : counts.second) += 1;
  }
  CHECK(seen.size() == 4 * calls);
  for (const auto& [id, counts] : seen) CHECK(counts == std::pair(1, 1));
}

TEST_CASE("the log marks a command that goes on as a job", "[audit]") {
  const TemporaryFolder folder;
  const auto log = folder.file("log.jsonl");
  Session server({.arguments = {"--audit-log", log, "--max-wait", "100"}, .audit_log = true});
  const auto first = server.run("sleep 0.5");
  REQUIRE(first.at("running") == true);
  for (auto next = first; next.contains("job");) next = server.run_with({{"job", first.at("job")}});
  const auto lines = lines_of(log);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].at("event") == "start");
  CHECK(lines[1].at("event") == "job");
  CHECK(lines[2].at("event") == "end");
  for (const auto& line : lines) CHECK(line.at("id") == first.at("job"));
}
