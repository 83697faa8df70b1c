#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "registration/jsonc_edit.hpp"
#include "registration/jsonc_parser.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::registration;
using Json = nlohmann::ordered_json;

namespace {

// Writes documents of every layout that a person or a program may have left behind.
class RandomDocument {
 public:
  explicit RandomDocument(unsigned seed) : random_(seed) {
    line_break_ = pick({"\n", "\r\n"});
    indent_ = pick({"\t", "  ", "    ", "   ", " "});
    colon_ = pick({": ", ":", " : "});
  }

  std::string write() {
    std::string text = chance(4) ? "// head" + line_break_ : "";
    std::vector<std::string> members;
    const int before = number(3);
    for (int i = 0; i < before; ++i) members.push_back("\"k" + std::to_string(i) + "\"" + colon_ + value(1));
    members.push_back("\"mcpServers\"" + colon_ + (chance(6) ? "{}" : object(1, 1 + number(5))));
    if (chance(2)) members.push_back("\"last\"" + colon_ + value(1));
    return text + braces(members, 0) + (chance(2) ? line_break_ : "");
  }

 private:
  bool chance(int of) { return number(of) == 0; }
  int number(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  std::string pick(const std::vector<std::string>& of) {
    return of[static_cast<std::size_t>(number(static_cast<int>(of.size())))];
  }

  std::string indentation(int depth) const {
    std::string text;
    for (int i = 0; i < depth; ++i) text += indent_;
    return text;
  }

  std::string value(int depth) {
    switch (depth > 4 ? 3 + number(3) : number(6)) {
      case 0:
        return object(depth, number(4));
      case 1:
        return chance(2) ? "[ 1, \"a\" ]" : "[" + line_break_ + indentation(depth + 1) + "\"a\"" + line_break_ + "]";
      case 2:
        return "[]";
      case 3:
        return "\"// not { a comment \\\" */\"";
      case 4:
        return "-1.5e3";
      default:
        return "null";
    }
  }

  std::string object(int depth, int size) {
    std::vector<std::string> members;
    for (int i = 0; i < size; ++i) members.push_back("\"m" + std::to_string(i) + "\"" + colon_ + value(depth + 1));
    return braces(members, depth);
  }

  std::string comment() { return chance(4) ? pick({" // }, \"x\": {", " /* , */", "  "}) : ""; }

  std::string braces(const std::vector<std::string>& members, int depth) {
    if (members.empty()) return "{}";
    const bool lines = !chance(3);
    const std::string padding = pick({"", " "});
    std::string text = "{";
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (lines && chance(6)) text += line_break_ + indentation(depth + 1) + "// above";
      text += lines ? line_break_ + indentation(depth + 1) : i == 0 ? padding : " ";
      text += members[i];
      const bool last = i + 1 == members.size();
      if (!last || chance(5)) text += ",";
      if (lines) text += comment();
    }
    if (lines && chance(6)) text += line_break_ + indentation(depth + 1) + "// below";
    return text + (lines ? line_break_ + indentation(depth) : padding) + "}";
  }

  std::mt19937 random_;
  std::string line_break_;
  std::string indent_;
  std::string colon_;
};

Json read(const std::string& text) { return to_json(text, *parse_jsonc(text).root); }

}  // namespace

TEST_CASE("whatever the document, an entry that comes and goes leaves every byte and changes nothing else",
          "[registration]") {
  const std::vector<std::string> path{"mcpServers", "ours"};
  const Json entry = Json::parse(R"({"command": "/opt/x", "args": ["a"]})");
  int differing = 0;
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    const std::string before = RandomDocument(seed).write();
    const std::string after = set_member(before, path, entry);
    Json expected = read(before);
    expected["mcpServers"]["ours"] = entry;
    const bool right =
        read(after) == expected && set_member(after, path, entry) == after && remove_member(after, path) == before;
    if (right) continue;
    ++differing;
    UNSCOPED_INFO("seed " << seed << "\n" << before << "\n---\n" << after << "\n---\n" << remove_member(after, path));
    if (differing == 3) break;
  }
  CHECK(differing == 0);
}

TEST_CASE("any member of any document can be taken out, and only that one is gone", "[registration]") {
  int differing = 0;
  for (unsigned seed = 0; seed < 1'000; ++seed) {
    const std::string before = RandomDocument(seed).write();
    const Json document = read(before);
    for (const auto& [key, value] : document["mcpServers"].items()) {
      Json expected = document;
      expected["mcpServers"].erase(key);
      const std::string after = remove_member(before, {"mcpServers", key});
      if (read(after) == expected) continue;
      ++differing;
      UNSCOPED_INFO("seed " << seed << " key " << key << "\n" << before << "\n---\n" << after);
    }
  }
  CHECK(differing == 0);
}

TEST_CASE("plain documents read the same with nlohmann/json before and after", "[registration]") {
  int compared = 0;
  for (unsigned seed = 0; seed < 1'000; ++seed) {
    const std::string before = RandomDocument(seed).write();
    const Json document = Json::parse(before, nullptr, false, true);
    if (document.is_discarded()) continue;  // trailing commas
    ++compared;
    Json expected = document;
    expected["mcpServers"]["ours"] = "x";
    if (Json::parse(set_member(before, {"mcpServers", "ours"}, "x"), nullptr, false, true) != expected)
      FAIL_CHECK(before);
  }
  CHECK(compared > 100);
}

TEST_CASE("a text that is cut off anywhere is refused or edited, never broken", "[registration]") {
  int refused = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const std::string whole = RandomDocument(seed).write();
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const std::string text = whole.substr(0, length);
      try {
        if (!parse_jsonc(set_member(text, {"mcpServers", "ours"}, 1)).root) FAIL_CHECK(text);
      } catch (const DocumentError&) {
        ++refused;
      }
    }
  }
  CHECK(refused > 0);
}
