#include "registration/toml_string.hpp"

#include <string>

#include "registration/document_error.hpp"
#include "registration/toml_parser.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::registration;

TEST_CASE("the four forms of a TOML string are read", "[registration]") {
  const auto read = [](const std::string& text) {
    const TomlString string = read_toml_string(text, 0);
    CHECK(string.end == text.size());
    return string.text;
  };
  CHECK(read(R"("a\tb\"\\\u00e4\U0001F600\u20AC")") == "a\tb\"\\\xC3\xA4\xF0\x9F\x98\x80\xE2\x82\xAC");
  CHECK(read(R"('C:\Users\"x"')") == R"(C:\Users\"x")");
  CHECK(read("\"\"\"\r\none\\\n   two \"\" three\"\"\"\"\"") == "onetwo \"\" three\"\"");
  CHECK(read("'''\nit''s \\n\n'''") == "it''s \\n\n");
  CHECK(read("\"\"") == "");
  CHECK(read("\"\"\"\"\"\"") == "");
}

TEST_CASE("a text is written as the plainest TOML string that reads back to it", "[registration]") {
  CHECK(format_toml(std::string("/opt/x")) == "\"/opt/x\"");
  CHECK(format_toml(std::string("it's")) == "\"it's\"");
  CHECK(format_toml(std::string("C:\\Program Files\\x")) == "'C:\\Program Files\\x'");
  const std::string hard = "it's \"C:\\x\"\n\x01\x7f\xC3\xA4";
  const std::string written = format_toml(hard);
  CHECK(written == "\"it's \\\"C:\\\\x\\\"\\u000A\\u0001\\u007F\xC3\xA4\"");
  CHECK(read_toml_string(written, 0).text == hard);
}
