#include <cowork_terminal/process/whole_output.hpp>

#include "support/catch.hpp"

using namespace cowork_terminal::process;
namespace fs = std::filesystem;

TEST_CASE("nobody else may open the files of whole output, nor their folder", "[process]") {
  OutputFolder folder;
  WholeOutput output(folder, "stderr", 0);
  output.append("secret");
  const fs::path file = output.file();
  for (const auto& path : {file, file.parent_path()}) {
    const auto mode = fs::status(path).permissions();
    CHECK((mode & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none);
  }
}
