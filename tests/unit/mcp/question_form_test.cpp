#include "mcp/question_form.hpp"

#include "support/catch.hpp"

namespace {

using namespace cowork_terminal::mcp;
using nlohmann::json;

json form(json property) { return {{"type", "object"}, {"properties", {{"p", std::move(property)}}}}; }

json form_as(FormDialect dialect, json property) {
  return form_in(dialect, form(std::move(property))).value()["properties"]["p"];
}

bool fits(const json& property, const json& value) {
  return conforming_content(form(property), {{"p", value}}).has_value();
}

const json titled = json::parse(R"({"type":"string","oneOf":[{"const":"a","title":"A!"},{"const":"b","title":"B!"}]})");
const json named = json::parse(R"({"type":"string","enum":["a","b"],"enumNames":["A!","B!"]})");

}  // namespace

TEST_CASE("a form is worded for revision 2025-06-18 without what that does not know", "[mcp][P74]") {
  CHECK(form_as(FormDialect::basic, titled) == named);
  CHECK(form_as(FormDialect::basic, named) == named);
  CHECK(form_as(FormDialect::basic, {{"type", "integer"}, {"default", 1}, {"minimum", 0}}) ==
        json{{"type", "integer"}, {"minimum", 0}});
  CHECK(form_as(FormDialect::basic, {{"type", "boolean"}, {"default", true}}) ==
        json{{"type", "boolean"}, {"default", true}});
  CHECK(form_as(FormDialect::basic, {{"type", "string"}, {"pattern", "x"}}) == json{{"type", "string"}});
  CHECK_FALSE(form_in(FormDialect::basic, form({{"type", "array"}, {"items", {{"type", "string"}, {"enum", {"a"}}}}})));
}

TEST_CASE("a form goes as it is to revision 2025-11-25", "[mcp][P74]") {
  for (const auto& property : {titled, named, json{{"type", "integer"}, {"default", 1}}})
    CHECK(form_as(FormDialect::full, property) == property);
}

TEST_CASE("a modern form has titles in place of enumNames", "[mcp]") {
  CHECK(form_as(FormDialect::modern, named) == titled);
  CHECK(form_as(FormDialect::modern, titled) == titled);
}

TEST_CASE("there are no forms before revision 2025-06-18", "[mcp][P73]") {
  CHECK_FALSE(form_in(FormDialect::none, form({{"type", "string"}})));
}

TEST_CASE("strings conform by type, length in characters, and choice", "[mcp][P75]") {
  CHECK(fits({{"type", "string"}}, ""));
  CHECK_FALSE(fits({{"type", "string"}}, 5));
  CHECK_FALSE(fits({{"type", "string"}}, nullptr));
  CHECK(fits({{"type", "string"}, {"maxLength", 3}}, "€€€"));
  CHECK_FALSE(fits({{"type", "string"}, {"maxLength", 2}}, "€€€"));
  CHECK_FALSE(fits({{"type", "string"}, {"minLength", 4}}, "€€€"));
  for (const auto& property : {titled, named}) {
    CHECK(fits(property, "a"));
    CHECK_FALSE(fits(property, "A!"));
    CHECK_FALSE(fits(property, ""));
  }
}

TEST_CASE("numbers conform by type and bounds", "[mcp][P75]") {
  CHECK(fits({{"type", "number"}, {"minimum", 0}, {"maximum", 1}}, 0.5));
  CHECK(fits({{"type", "number"}, {"minimum", 0}, {"maximum", 1}}, 1));
  CHECK_FALSE(fits({{"type", "number"}, {"minimum", 0}, {"maximum", 1}}, 1.01));
  CHECK_FALSE(fits({{"type", "number"}, {"minimum", 0}}, -1));
  CHECK_FALSE(fits({{"type", "number"}}, "1"));
  CHECK(fits({{"type", "integer"}}, 2));
  CHECK(fits({{"type", "integer"}}, 2.0));
  CHECK_FALSE(fits({{"type", "integer"}}, 2.5));
  CHECK_FALSE(fits({{"type", "integer"}}, 1e300));
  CHECK_FALSE(fits({{"type", "integer"}}, true));
}

TEST_CASE("booleans are true or false and nothing else", "[mcp][P75]") {
  CHECK(fits({{"type", "boolean"}}, false));
  CHECK_FALSE(fits({{"type", "boolean"}}, 0));
  CHECK_FALSE(fits({{"type", "boolean"}}, "true"));
}

TEST_CASE("several choices conform by number and offer", "[mcp][P75]") {
  const json plain =
      json::parse(R"({"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["a","b","c"]}})");
  const json with_titles = json::parse(
      R"({"type":"array","minItems":1,"maxItems":2,"items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}})");
  for (const auto& property : {plain, with_titles}) {
    CHECK(fits(property, {"a", "b"}));
    CHECK_FALSE(fits(property, json::array()));
    CHECK_FALSE(fits(property, {"a", "b", "a"}));
    CHECK_FALSE(fits(property, {"a", "d"}));
    CHECK_FALSE(fits(property, json::array({1})));
    CHECK_FALSE(fits(property, "a"));
  }
}

TEST_CASE("content needs what is required and keeps only what was asked", "[mcp][P75]") {
  auto schema = form({{"type", "string"}});
  CHECK(conforming_content(schema, json::object()) == json::object());
  schema["required"] = {"p"};
  CHECK_FALSE(conforming_content(schema, json::object()));
  CHECK_FALSE(conforming_content(schema, json::array()));
  CHECK_FALSE(conforming_content(schema, nullptr));
  CHECK(conforming_content(schema, {{"p", "x"}, {"other", {{"deep", 1}}}}) == json{{"p", "x"}});
  CHECK_FALSE(conforming_content(schema, {{"p", std::string(300'000, 'x')}}));
}

TEST_CASE("an answer is accepted, declined, or nobody's", "[mcp][P75]") {
  const auto schema = form({{"type", "boolean"}});
  const auto yes = read_answer({{"action", "accept"}, {"content", {{"p", true}}}}, schema);
  REQUIRE(yes.has_value());
  CHECK(std::get<Accepted>(*yes).content == json{{"p", true}});
  CHECK(std::holds_alternative<Accepted>(read_answer({{"action", "accept"}}, schema).value()));
  CHECK(std::holds_alternative<Declined>(read_answer({{"action", "decline"}}, schema).value()));
  CHECK(std::holds_alternative<Unanswered>(read_answer({{"action", "cancel"}}, schema).value()));
  for (const auto& wrong : {json(5), json::object(), json{{"action", "yes"}}, json{{"action", 1}}, json(nullptr),
                            json{{"action", "accept"}, {"content", {{"p", "true"}}}}}) {
    CAPTURE(wrong.dump());
    CHECK_FALSE(read_answer(wrong, schema));
  }
}
