#include <unistd.h>

#include <fstream>
#include <vector>

#include "runner_fixture.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using namespace cowork_terminal::process::testing;

namespace {

std::size_t anonymous_kib(const std::string& process) {
  std::ifstream rollup("/proc/" + process + "/smaps_rollup");
  for (std::string line; std::getline(rollup, line);) {
    if (line.rfind("Anonymous:", 0) == 0) return std::stoul(line.substr(line.find(' ')));
  }
  return 0;
}

}  // namespace

// Not with a sanitizer, whose heap is not the C library's.
TEST_CASE("a supervisor inherits nothing of the server's heap", "[process][C-23]") {
  RunnerFixture fixture;
  // Small enough to come from the heap.
  const std::vector<std::string> output_of_others(200, std::string(100'000, 'x'));
  CHECK(anonymous_kib("self") > 19'000);
  std::string supervisor = fixture.bash("echo $PPID").standard_output.text;
  supervisor.pop_back();
  CHECK(anonymous_kib(supervisor) > 0);
  CHECK(anonymous_kib(supervisor) < 1'000);
  CHECK(output_of_others.back().back() == 'x');
}
