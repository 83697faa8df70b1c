#include "registration/toml_parser.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace cowork_terminal::registration;

namespace {

DocumentError toml_error_of(const std::string& text) {
  try {
    parse_toml(text);
  } catch (const DocumentError& error) {
    return error;
  }
  return {"", 0, "no error at all"};
}

}  // namespace

TEST_CASE("headers, keys and values of TOML are told apart", "[registration]") {
  const std::string text =
      "# head\r\na = 1\r\n  [ b . \"c.d\" . 'e' ] # [not] = this\r\n\"f\".g = [ # one\r\n 'x', # ]\r\n [\"y\", "
      "1979-05-27 07:32:00Z],\r\n]\r\n"
      "h = { i = [1, 2], j.k = \"}\" }\r\n\r\n[[l]]\r\nm = +1_000.5e-3";
  const std::vector<TomlStatement> statements = parse_toml(text);
  REQUIRE(statements.size() == 6);
  CHECK(statements[0].key == TomlKey{"a"});
  CHECK(statements[1].kind == TomlStatement::Kind::table);
  CHECK(statements[1].key == TomlKey{"b", "c.d", "e"});
  CHECK(statements[2].key == TomlKey{"f", "g"});
  CHECK(statements[2].value.list->size() == 2);
  CHECK(statements[2].value.list->front().text == "x");
  CHECK_FALSE(statements[2].value.texts());
  CHECK(text.substr(statements[2].lines.begin, 3) == "\"f\"");
  CHECK(text.substr(statements[2].lines.end, 1) == "h");
  CHECK(statements[4].kind == TomlStatement::Kind::array_of_tables);
  CHECK(statements[5].lines.end == text.size());
}

TEST_CASE("broken TOML is refused with line and column", "[registration]") {
  struct Case {
    const char* text;
    std::size_t line;
    std::size_t column;
  };
  const std::vector<Case> cases{
      {"a = 1\nb\n", 2, 2},
      {"a = \n", 1, 5},
      {"[a\n", 1, 3},
      {"[[a]\n", 1, 4},
      {"a = \"x\n\"", 1, 5},
      {"a = '''x", 1, 5},
      {"a = [1, 2\n", 1, 5},
      {"a = {b = 1", 1, 5},
      {"a = 1 2\n", 1, 7},
      {"a = \"\\q\"", 1, 6},
      {"a = \"\\ud800\"", 1, 6},
      {"a = \"\\u00\"", 1, 6},
      {"= 1", 1, 1},
      {"a. = 1", 1, 4},
      {"[]", 1, 2},
      {"\"\"\"a\"\"\" = 1", 1, 1},
      {"a = [1 2]", 1, 8},
      {"{\"a\": 1}\n", 1, 1},
      {"# a\rb = 1", 1, 4},
  };
  for (const Case& given : cases) {
    CAPTURE(std::string(given.text));
    const DocumentError error = toml_error_of(given.text);
    CAPTURE(std::string(error.what()));
    CHECK(error.line() == given.line);
    CHECK(error.column() == given.column);
  }
  CHECK(std::string(toml_error_of("a = " + std::string(100'000, '[')).what()).find("levels") != std::string::npos);
}

TEST_CASE("keys and lists are written so that they read back", "[registration]") {
  CHECK(format_toml_key("cowork-terminal") == "cowork-terminal");
  CHECK(format_toml_key("a.b") == "\"a.b\"");
  CHECK(format_toml_key("") == "\"\"");
  CHECK(format_toml(std::vector<std::string>{}) == "[]");
  CHECK(format_toml(std::vector<std::string>{"--max-wait", "C:\\x"}) == "[\"--max-wait\", 'C:\\x']");
}
