#include "registration/jsonc_parser.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace cowork_terminal::registration;

namespace {

DocumentError jsonc_error_of(const std::string& text) {
  try {
    parse_jsonc(text);
  } catch (const DocumentError& error) {
    return error;
  }
  return {"", 0, "no error at all"};
}

}  // namespace

TEST_CASE("comments and trailing commas are read past, and values are found where they are", "[registration]") {
  const std::string text = "// head\n{ \"a\" /* b */ : [1, 2,], // c\n  \"b\\u0041\": {\"x\": null,},\n}\n/* tail */";
  const JsoncDocument document = parse_jsonc(text);
  REQUIRE(document.root);
  REQUIRE(document.root->members.size() == 2);
  CHECK(document.root->members[1].key == "bA");
  CHECK(document.root->members[0].comma == text.find(", // c"));
  CHECK(to_json(text, *document.root) == nlohmann::ordered_json::parse(R"({"a": [1, 2], "bA": {"x": null}})"));
  CHECK(document.first_extra == 0U);
}

TEST_CASE("plain JSON is known as such", "[registration]") {
  CHECK_FALSE(parse_jsonc("{\"a\": [1, \"//\"]}").first_extra);
}

TEST_CASE("a text of blanks and comments has no root", "[registration]") {
  CHECK_FALSE(parse_jsonc("").root);
  CHECK_FALSE(parse_jsonc(" \r\n// nothing\n/* here */").root);
}

TEST_CASE("of a repeated key the last one counts", "[registration]") {
  const std::string text = R"({"a": 1, "a": 2})";
  const JsoncDocument document = parse_jsonc(text);
  CHECK(to_json(text, document.root->find("a")->value) == 2);
}

TEST_CASE("broken JSON is refused with line and column", "[registration]") {
  struct Case {
    const char* text;
    std::size_t line;
    std::size_t column;
  };
  const std::vector<Case> cases{
      {"{\n  \"a\": 1\n  \"b\": 2\n}", 3, 3},
      {"{\"a\": }", 1, 7},
      {"{\n\"a\"\n", 3, 1},
      {"{\"a\": 1", 1, 1},
      {"[1, 2", 1, 1},
      {"{\"\xC3\xA4\": tru}", 1, 7},
      {"{} x", 1, 4},
      {"{'a': 1}", 1, 2},
      {"{\"a\": \"b\nc\"}", 1, 9},
      {"{\"a\": \"C:\\Users\"}", 1, 10},
      {"{\"a\": \"\\u12\"}", 1, 8},
      {"{\"a\": 01}", 1, 8},
      {"{\"a\": -}", 1, 7},
      {"{\"a\": 1.}", 1, 7},
      {"\r\n{\r\n /* x", 3, 2},
      {"{,}", 1, 2},
      {"[1,,2]", 1, 4},
      {"{\"a\" 1}", 1, 6},
      {"{\"a\": \"x", 1, 7},
  };
  for (const Case& given : cases) {
    CAPTURE(std::string(given.text));
    const DocumentError error = jsonc_error_of(given.text);
    CAPTURE(std::string(error.what()));
    CHECK(error.line() == given.line);
    CHECK(error.column() == given.column);
  }
}

TEST_CASE("brackets without end are refused, not followed", "[registration]") {
  CHECK(std::string(jsonc_error_of(std::string(100'000, '[')).what()).find("levels") != std::string::npos);
  std::string objects;
  for (int i = 0; i < 50'000; ++i) objects += "{\"a\":";
  CHECK(std::string(jsonc_error_of(objects).what()).find("levels") != std::string::npos);
}

TEST_CASE("what only JavaScript reads does not stop the rest", "[registration]") {
  const std::string text = R"({"\ud800": 1e400, "b": "\ud800"})";
  const JsoncDocument document = parse_jsonc(text);
  REQUIRE(document.root->find("b") != nullptr);
  CHECK(to_json(text, *document.root).size() == 2);
}
