#include <cowork_terminal/process/whole_output.hpp>
#include <fstream>
#include <iterator>

#include "support/catch.hpp"

using namespace cowork_terminal::process;
namespace fs = std::filesystem;

namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("output within the limit makes no file until it is asked for", "[process]") {
  OutputFolder folder;
  WholeOutput output(folder, "stdout", 10);
  output.append("0123");
  output.append("456789");
  const auto path = output.file();
  REQUIRE_FALSE(path.empty());
  CHECK(content(path) == "0123456789");
  output.append("more");
  CHECK(content(path) == "0123456789more");
  CHECK(output.file() == path);
}

TEST_CASE("output beyond the limit is whole in a file, which goes with the folder", "[process]") {
  std::string path;
  {
    OutputFolder folder;
    WholeOutput output(folder, "stderr", 4);
    for (int i = 0; i < 1'000; ++i) output.append("line\n");
    path = output.file();
    CHECK(content(path).size() == 5'000);
  }
  CHECK_FALSE(fs::exists(fs::path(path).parent_path()));
}
