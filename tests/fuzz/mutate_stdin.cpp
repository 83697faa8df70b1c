// mutate_stdin SECONDS NUMBER SEEDS SERVER [ARGUMENT...]
//
// Sends lines mutated from the files of the folder SEEDS, the same for the same NUMBER, to a live server. Everything
// that it answers must be JSON; then it must answer `ping`, and leave with 0 when its input ends.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "mutation.hpp"
#include "server_under_test.hpp"

using namespace std::chrono_literals;
using namespace cowork_terminal::fuzz;
using Clock = ServerUnderTest::Clock;

namespace {

constexpr auto patience = 20s;

std::vector<std::string> read_seeds(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) {
    std::ifstream file{path, std::ios::binary};
    seeds.emplace_back(std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{});
  }
  return seeds;
}

struct Outcome {
  std::size_t sent = 0;
  std::size_t answered = 0;
  std::string failure;
};

bool check_answers(ServerUnderTest& server, Outcome& outcome) {
  while (const auto line = server.read_line(Clock::now())) {
    ++outcome.answered;
    if (!nlohmann::json::accept(*line)) outcome.failure = "an answer is not JSON: " + *line;
  }
  return outcome.failure.empty();
}

void send_mutations(ServerUnderTest& server, Mutation& mutation, Clock::time_point end, Outcome& outcome) {
  while (Clock::now() < end) {
    const std::string line = mutation.next() + '\n';
    if (!server.write(line, Clock::now() + patience)) {
      outcome.failure = "the server stopped reading after this line: " + line;
      return;
    }
    ++outcome.sent;
    if (!check_answers(server, outcome)) return;
  }
}

void demand_ping_and_exit(ServerUnderTest& server, Outcome& outcome) {
  const auto until = Clock::now() + patience;
  bool is_answered = false;
  if (server.write("{\"jsonrpc\":\"2.0\",\"id\":\"after all\",\"method\":\"ping\"}\n", until)) {
    while (!is_answered) {
      const auto line = server.read_line(until);
      if (!line) break;
      is_answered = line->find("\"after all\"") != std::string::npos;
    }
  }
  server.end_input();
  if (!is_answered) {
    outcome.failure = "ping was not answered";
    return;
  }
  while (server.read_line(Clock::now() + 3s)) {
  }
  const auto code = server.wait(until);
  if (code != 0) outcome.failure = "exit code " + (code ? std::to_string(*code) : "missing: it still runs");
}

Outcome run(const std::vector<std::string>& arguments) {
  Outcome outcome;
  ServerUnderTest server{{arguments.begin() + 3, arguments.end()}};
  Mutation mutation{read_seeds(arguments[2]), static_cast<std::uint32_t>(std::stoul(arguments[1]))};
  send_mutations(server, mutation, Clock::now() + std::chrono::seconds{std::stoi(arguments[0])}, outcome);
  if (outcome.failure.empty()) demand_ping_and_exit(server, outcome);
  return outcome;
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::vector<std::string> arguments{argv + 1, argv + argc};
  if (arguments.size() < 4) {
    std::cerr << "usage: mutate_stdin SECONDS NUMBER SEEDS SERVER [ARGUMENT...]\n";
    return 2;
  }
  try {
    const Outcome outcome = run(arguments);
    std::cout << outcome.sent << " lines sent, " << outcome.answered << " answered\n" << outcome.failure << '\n';
    return outcome.failure.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
