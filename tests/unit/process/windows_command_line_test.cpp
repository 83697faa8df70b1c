#include "process/windows_command_line.hpp"

#include "support/catch.hpp"

using cowork_terminal::process::windows_command_line;

TEST_CASE("plain words stand in a Windows command line as they are", "[process]") {
  CHECK(windows_command_line({"C:\\Git\\bin\\bash.exe", "--", "C:/Temp/a-1_b"}) ==
        "C:\\Git\\bin\\bash.exe -- C:/Temp/a-1_b");
}

TEST_CASE("blanks, nothing, and what the MSYS runtime would expand are quoted", "[process]") {
  CHECK(windows_command_line({"C:\\Program Files\\Git\\bin\\bash.exe"}) == "\"C:\\Program Files\\Git\\bin\\bash.exe\"");
  CHECK(windows_command_line({"a", ""}) == "a \"\"");
  CHECK(windows_command_line({"*.txt", "?", "[a]", "@file", "it's", "~", "{a,b}", "$x", "a\tb"}) ==
        "\"*.txt\" \"?\" \"[a]\" \"@file\" \"it's\" \"~\" \"{a,b}\" \"$x\" \"a\tb\"");
  CHECK(windows_command_line({"é"}) == "\"é\"");
}

TEST_CASE("backslashes are doubled before a quotation mark and nowhere else", "[process]") {
  CHECK(windows_command_line({R"(a "b" c)"}) == R"("a \"b\" c")");
  CHECK(windows_command_line({R"(a\b c)"}) == R"("a\b c")");
  CHECK(windows_command_line({R"(C:\a b\)"}) == R"("C:\a b\\")");
  CHECK(windows_command_line({R"(a\"b)"}) == R"("a\\\"b")");
  CHECK(windows_command_line({R"(")"}) == R"("\"")");
}
