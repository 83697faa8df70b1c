// mutate_stdin SECONDS NUMBER SEEDS SERVER [ARGUMENT...]
//
// Sends lines mutated from the files of the folder SEEDS, the same for the same NUMBER, to a live server. Everything
// that it answers must be JSON; it must answer `ping` all the time, and leave with 0 when its input ends.

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

// Sends a ping and reads up to its answer.
bool is_alive(ServerUnderTest& server, Outcome& outcome) {
  const auto until = Clock::now() + patience;
  const std::string id = "ping after " + std::to_string(outcome.sent);
  const nlohmann::json ping = {{"jsonrpc", "2.0"}, {"id", id}, {"method", "ping"}};
  if (!server.write(ping.dump() + '\n', until)) return false;
  while (const auto line = server.read_line(until)) {
    ++outcome.answered;
    const auto answer = nlohmann::json::parse(*line, nullptr, false);
    if (answer.is_discarded()) outcome.failure = "an answer is not JSON: " + *line;
    if (answer.is_object() && answer.value("id", nlohmann::json()) == id) return answer.contains("result");
  }
  return false;
}

void send_mutations(ServerUnderTest& server, Mutation& mutation, Clock::time_point end, Outcome& outcome) {
  constexpr int lines_between_pings = 200;
  while (Clock::now() < end && outcome.failure.empty()) {
    for (int i = 0; i < lines_between_pings; ++i) {
      const std::string line = mutation.next() + '\n';
      if (!server.write(line, Clock::now() + patience)) {
        outcome.failure = "the server stopped reading before this line: " + line;
        return;
      }
      ++outcome.sent;
    }
    if (!is_alive(server, outcome) && outcome.failure.empty()) {
      outcome.failure = "ping was not answered after " + std::to_string(outcome.sent) + " lines";
    }
  }
}

void demand_exit(ServerUnderTest& server, Outcome& outcome) {
  const auto until = Clock::now() + patience;
  server.end_input();
  while (server.read_line(until)) {
  }
  const auto code = server.wait(until);
  if (code != 0) outcome.failure = code ? "exit code " + std::to_string(*code) : "the server does not leave";
}

Outcome run(const std::vector<std::string>& arguments) {
  Outcome outcome;
  ServerUnderTest server{{arguments.begin() + 3, arguments.end()}};
  Mutation mutation{read_seeds(arguments[2]), static_cast<std::uint32_t>(std::stoul(arguments[1]))};
  send_mutations(server, mutation, Clock::now() + std::chrono::seconds{std::stoi(arguments[0])}, outcome);
  if (outcome.failure.empty()) demand_exit(server, outcome);
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
