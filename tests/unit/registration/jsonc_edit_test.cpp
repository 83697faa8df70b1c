#include "registration/jsonc_edit.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "registration/jsonc_parser.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::registration;
using Json = nlohmann::ordered_json;

namespace {

const std::vector<std::string> our_member{"mcpServers", "ours"};
const Json entry = Json::parse(R"({"command": "/opt/x", "args": ["--max-wait", "5"]})");

struct Edited {
  const char* what;
  std::string before;
  std::string after;
};

void check_insertion(const Edited& edit) {
  CAPTURE(std::string(edit.what));
  CHECK(set_member(edit.before, our_member, entry) == edit.after);
  CHECK(set_member(edit.after, our_member, entry) == edit.after);
  CHECK(remove_member(edit.after, our_member) == edit.before);
}

}  // namespace

TEST_CASE("an entry is added in the layout of its neighbours, and its removal leaves the text as it was",
          "[registration]") {
  check_insertion(
      {"two blanks, arrays on lines as JSON.stringify writes them",
       "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"x\",\n      \"args\": [\n        \"y\"\n      ]\n"
       "    }\n  }\n}",
       "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"x\",\n      \"args\": [\n        \"y\"\n      ]\n"
       "    },\n    \"ours\": {\n      \"command\": \"/opt/x\",\n      \"args\": [\n        \"--max-wait\",\n"
       "        \"5\"\n      ]\n    }\n  }\n}"});
  check_insertion(
      {"tabs and CRLF", "{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {\r\n\t\t\t\"command\": \"x\"\r\n\t\t}\r\n\t}\r\n}\r\n",
       "{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {\r\n\t\t\t\"command\": \"x\"\r\n\t\t},\r\n\t\t\"ours\": {\r\n"
       "\t\t\t\"command\": \"/opt/x\",\r\n\t\t\t\"args\": [\"--max-wait\", \"5\"]\r\n\t\t}\r\n\t}\r\n}\r\n"});
  check_insertion(
      {"minified", R"({"mcpServers":{"a":{"command":"x","args":[]}},"z":1})",
       R"({"mcpServers":{"a":{"command":"x","args":[]},"ours":{"command":"/opt/x","args":["--max-wait","5"]}},"z":1})"});
  check_insertion({"one line per entry, padded braces",
                   "{\n   \"mcpServers\" : {\n      \"a\" : { \"command\" : \"x\", \"args\" : [] }\n   }\n}\n",
                   "{\n   \"mcpServers\" : {\n      \"a\" : { \"command\" : \"x\", \"args\" : [] },\n"
                   "      \"ours\" : { \"command\" : \"/opt/x\", \"args\" : [\"--max-wait\", \"5\"] }\n   }\n}\n"});
  check_insertion({"an empty object in a text on lines", "{\n    \"mcpServers\": {},\n    \"z\": 1\n}\n",
                   "{\n    \"mcpServers\": {\n        \"ours\": {\n            \"command\": \"/opt/x\",\n"
                   "            \"args\": [\"--max-wait\", \"5\"]\n        }\n    },\n    \"z\": 1\n}\n"});
  check_insertion({"an empty object in a text on one line", R"({"mcpServers": {}})",
                   R"({"mcpServers": {"ours": {"command": "/opt/x", "args": ["--max-wait", "5"]}}})"});
  check_insertion({"a trailing comma", "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"},\n}}",
                   "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"},\n"
                   "  \"ours\": {\"command\": \"/opt/x\", \"args\": [\"--max-wait\", \"5\"]},\n}}"});
  check_insertion({"a trailing comma on one line", R"({"mcpServers": {"a": {},}})",
                   R"({"mcpServers": {"a": {}, "ours": {"command": "/opt/x", "args": ["--max-wait", "5"]},}})"});
}

TEST_CASE("comments stay where they are when an entry comes and goes", "[registration]") {
  check_insertion(
      {"a comment behind the last entry",
       "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"} // keep, } too\n    // \"old\": {}\n  }\n}",
       "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"}, // keep, } too\n"
       "    \"ours\": {\"command\": \"/opt/x\", \"args\": [\"--max-wait\", \"5\"]}\n    // \"old\": {}\n  }\n}"});
  check_insertion({"a comment over two lines behind the last entry",
                   "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"} /* one\n two */\n  }\n}",
                   "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"}, /* one\n two */\n"
                   "    \"ours\": {\"command\": \"/opt/x\", \"args\": [\"--max-wait\", \"5\"]}\n  }\n}"});
  check_insertion({"only a comment in the object", "{\n  \"mcpServers\": {\n    // none yet\n  }\n}",
                   "{\n  \"mcpServers\": {\n    // none yet\n    \"ours\": {\n      \"command\": \"/opt/x\",\n"
                   "      \"args\": [\"--max-wait\", \"5\"]\n    }\n  }\n}"});
  check_insertion(
      {"only a comment on one line", "{\"mcpServers\": { /* none */ }}",
       "{\"mcpServers\": { /* none */ \"ours\": {\"command\": \"/opt/x\", \"args\": [\"--max-wait\", \"5\"]} }}"});
  check_insertion({"the closing brace behind the last entry", "{\"mcpServers\": {\n  \"a\": {\"b\": 1} /* c */ }}",
                   "{\"mcpServers\": {\n  \"a\": {\"b\": 1}, /* c */\n"
                   "  \"ours\": {\"command\": \"/opt/x\", \"args\": [\"--max-wait\", \"5\"]} }}"});
}

TEST_CASE("the objects that lead to the member are made", "[registration]") {
  CHECK(set_member("{\n  \"theme\": \"dark\"\n}\n", our_member, {{"command", "x"}}) ==
        "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"ours\": {\n      \"command\": \"x\"\n    }\n  }\n}\n");
  CHECK(set_member(R"({"theme":"dark"})", our_member, {{"command", "x"}}) ==
        R"({"theme":"dark","mcpServers":{"ours":{"command":"x"}}})");
}

TEST_CASE("an empty file becomes a whole document", "[registration]") {
  const std::string whole = "{\n  \"mcpServers\": {\n    \"ours\": {\n      \"command\": \"x\"\n    }\n  }\n}";
  CHECK(set_member("", our_member, {{"command", "x"}}) == whole + "\n");
  CHECK(set_member(" \n\t\n", our_member, {{"command", "x"}}) == whole + "\n");
  CHECK(set_member("{}", our_member, {{"command", "x"}}) == whole);
  CHECK(set_member("{ }\n", our_member, {{"command", "x"}}) == whole + "\n");
  CHECK(set_member("// mine", our_member, {{"command", "x"}}) == "// mine\n" + whole + "\n");
}

TEST_CASE("a byte order mark is not written again", "[registration][K127]") {
  const std::string mark = "\xEF\xBB\xBF";
  CHECK(set_member(mark + R"({"mcpServers": {"ours": 1}})", our_member, 1) == R"({"mcpServers": {"ours": 1}})");
  CHECK(set_member(mark + R"({"mcpServers": {"ours": 1}})", our_member, 2) == R"({"mcpServers": {"ours": 2}})");
  CHECK(remove_member(mark + R"({"mcpServers": {"ours": 1}})", our_member) == R"({"mcpServers": {}})");
}

TEST_CASE("another value takes the old one's place, an equal one changes nothing", "[registration]") {
  const std::string text = "{\"mcpServers\": {\"ours\": {\"args\": [ \"--a\" , /* why */ \"b\", ], \"timeout\": 1}}}";
  const std::vector<std::string> args{"mcpServers", "ours", "args"};
  CHECK(set_member(text, args, {"--a", "b"}) == text);
  CHECK(set_member(text, args, Json::array()) == "{\"mcpServers\": {\"ours\": {\"args\": [], \"timeout\": 1}}}");
  CHECK(set_member(text, {"mcpServers", "ours", "timeout"}, 2) ==
        "{\"mcpServers\": {\"ours\": {\"args\": [ \"--a\" , /* why */ \"b\", ], \"timeout\": 2}}}");
}

TEST_CASE("of repeated keys the last is changed and all are removed", "[registration]") {
  const std::string text = R"({"mcpServers": {"ours": 1, "b": 2, "ours": 3}})";
  CHECK(set_member(text, our_member, 4) == R"({"mcpServers": {"ours": 1, "b": 2, "ours": 4}})");
  CHECK(remove_member(text, our_member) == R"({"mcpServers": {"b": 2}})");
}

TEST_CASE("an entry in front or in the middle leaves no gap behind", "[registration]") {
  const auto removed = [](const std::string& text) { return remove_member(text, {"x"}); };
  CHECK(removed("{\n  \"x\": 1,\n  \"b\": 2\n}") == "{\n  \"b\": 2\n}");
  CHECK(removed("{\n  \"a\": 1,\n  \"x\": {\n  },\n  \"b\": 2\n}") == "{\n  \"a\": 1,\n  \"b\": 2\n}");
  CHECK(removed("{\"x\": 1, \"b\": 2}") == "{\"b\": 2}");
  CHECK(removed("{\"a\": 1, \"x\": 1, \"b\": 2}") == "{\"a\": 1, \"b\": 2}");
  CHECK(removed("{\"a\": 1,\n  \"x\": 1, \"b\": 2}") == "{\"a\": 1,\n  \"b\": 2}");
  CHECK(removed("{\n  // about x\n  \"x\": 1, // more\n  \"b\": 2\n}") == "{\n  // about x\n   // more\n  \"b\": 2\n}");
  CHECK(removed("{\n  \"a\": 1, // a\n  \"x\": 1 }") == "{\n  \"a\": 1 // a\n   }");
  CHECK(removed("{\"x\": 1 /* c */ , \"b\": 2}") == "{ /* c */ \"b\": 2}");
  CHECK(removed("{\"x\": 1}") == "{}");
  CHECK(removed("{\n  \"x\": 1,\n}") == "{}");
  CHECK(removed("{\"b\": 1}") == "{\"b\": 1}");
  CHECK(removed("") == "");
}

TEST_CASE("a path that leads through something else than an object is refused with its place", "[registration]") {
  const auto line_of = [](const std::string& text) {
    try {
      set_member(text, our_member, 1);
    } catch (const DocumentError& error) {
      return error.line();
    }
    return std::size_t{0};
  };
  CHECK(line_of("[]") == 1);
  CHECK(line_of("{\n\"mcpServers\": []}") == 2);
  CHECK(line_of("{\n\n\"mcpServers\": null}") == 3);
  CHECK(line_of("{\"mcpServers\": {}") == 1);
}

TEST_CASE("keys and values are escaped", "[registration]") {
  CHECK(set_member("{\"a\":1}", {"q\"\\\xC3\xA4"}, "C:\\x\n") == "{\"a\":1,\"q\\\"\\\\\xC3\xA4\":\"C:\\\\x\\n\"}");
}
