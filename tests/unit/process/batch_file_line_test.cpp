#include "process/batch_file_line.hpp"

#include <stdexcept>

#include "support/catch.hpp"

using cowork_terminal::process::batch_file_line;
using cowork_terminal::process::is_batch_file;

namespace {

constexpr char interpreter[] = R"(C:\Windows\System32\cmd.exe)";

// What stands between the outer quotation marks.
std::string inner(const std::vector<std::string>& argv) {
  const std::string start = R"("C:\Windows\System32\cmd.exe" /d /e:on /v:off /s /c ")";
  const auto line = batch_file_line(interpreter, argv);
  REQUIRE(line.substr(0, start.size()) == start);
  REQUIRE(line.back() == '"');
  return line.substr(start.size(), line.size() - start.size() - 1);
}

}  // namespace

TEST_CASE("a batch file is known by its extension", "[process]") {
  CHECK(is_batch_file(R"(C:\npm\claude.cmd)"));
  CHECK(is_batch_file(R"(C:\npm\CLAUDE.BAT)"));
  CHECK_FALSE(is_batch_file(R"(C:\npm\claude.exe)"));
  CHECK_FALSE(is_batch_file(R"(C:\npm.cmd\claude)"));
  CHECK_FALSE(is_batch_file("cmd"));
}

TEST_CASE("every argument of a batch file stands in quotation marks", "[process]") {
  CHECK(inner({R"(C:\Program Files\npm\claude.cmd)", "mcp", "", "a b", "a&b", "a^b", "c|d"}) ==
        R"("C:\Program Files\npm\claude.cmd" "mcp" "" "a b" "a&b" "a^b" "c|d")");
}

TEST_CASE("a quotation mark for a batch file is doubled and its backslashes too", "[process]") {
  CHECK(inner({"x.cmd", R"({"a":"b & c"})"}) == R"("x.cmd" "{""a"":""b & c""}")");
  CHECK(inner({"x.cmd", R"(a\"b)", R"(C:\a b\)", R"(a\b)"}) == R"("x.cmd" "a\\""b" "C:\a b\\" "a\b")");
}

TEST_CASE("a per cent sign for a batch file names no variable", "[process]") {
  CHECK(inner({"x.cmd", "%PATH%"}) == R"("x.cmd" "%%cd:~,%PATH%%cd:~,%")");
}

TEST_CASE("an argument of several lines is refused for a batch file", "[process]") {
  CHECK_THROWS_AS(batch_file_line(interpreter, {"x.cmd", "a\nb"}), std::invalid_argument);
  CHECK_THROWS_AS(batch_file_line(interpreter, {"x.cmd", "a\rb"}), std::invalid_argument);
}
