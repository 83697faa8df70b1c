#include "jsonrpc/line_splitter.hpp"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/catch.hpp"

using namespace cowork_terminal::jsonrpc;
using nlohmann::json;

namespace {

// An oversized line is shown as its id and size.
std::vector<std::string> lines_of(std::string_view input, std::size_t limit, std::size_t piece_size) {
  LineSplitter splitter{limit};
  std::vector<std::string> result;
  const auto take = [&](std::deque<InputLine> lines) {
    for (InputLine& line : lines) {
      if (auto* text = std::get_if<std::string>(&line)) {
        result.push_back(std::move(*text));
      } else {
        const auto& oversized = std::get<OversizedLine>(line);
        result.push_back("oversized " + oversized.id.dump() + " " + std::to_string(oversized.size));
      }
    }
  };
  for (std::size_t i = 0; i < input.size(); i += piece_size) take(splitter.feed(input.substr(i, piece_size)));
  take(splitter.finish());
  return result;
}

void check_lines(std::string_view input, const std::vector<std::string>& expected, std::size_t limit = 1'000) {
  for (const std::size_t piece_size :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, input.size() + 1}) {
    INFO(input << " in pieces of " << piece_size);
    CHECK(lines_of(input, limit, piece_size) == expected);
  }
}

}  // namespace

TEST_CASE("lines end in a newline or a carriage return and a newline", "[jsonrpc]") {
  check_lines("a\nb\r\nc\r\r\n", {"a", "b", "c\r"});
  check_lines("a\rb\n", {"a\rb"});
}

TEST_CASE("blank lines are left out", "[jsonrpc][P90]") { check_lines("\n\r\n  \n\t\r\n \r \na\n\n", {"a"}); }

TEST_CASE("a partial line at the end of the input is a line", "[jsonrpc][C-28]") {
  check_lines("a\nb", {"a", "b"});
  check_lines("a\nb\r", {"a", "b"});
  check_lines("a\n", {"a"});
  check_lines("", {});
}

TEST_CASE("a byte order mark is taken from the first line alone", "[jsonrpc][P4]") {
  check_lines("\xEF\xBB\xBF{}\n\xEF\xBB\xBF{}\n", {"{}", "\xEF\xBB\xBF{}"});
  check_lines("\xEF\xBB\xBF\xEF\xBB\xBF{}\n", {"\xEF\xBB\xBF{}"});
  check_lines("\xEF\xBB\xBF\n\xEF\xBB\xBFx\n", {"\xEF\xBB\xBFx"});
  check_lines("\xEF\xBB{}\n", {"\xEF\xBB{}"});
  check_lines("\xEF\n", {"\xEF"});
  check_lines("\xEF\xBB", {"\xEF\xBB"});
  check_lines("\xEF\xBB\xBF", {});
}

TEST_CASE("the limit of a line does not count its end", "[jsonrpc][C-28]") {
  check_lines("12345\n", {"12345"}, 5);
  check_lines("12345\r\n", {"12345"}, 5);
  check_lines("12345\r", {"12345"}, 5);
  check_lines("123456\n", {"oversized null 6"}, 5);
  check_lines("12345\rx\n", {"oversized null 7"}, 5);
  check_lines("123456\r\nab\n", {"oversized null 6", "ab"}, 5);
  check_lines(
      "\xEF\xBB\xBF"
      "12345\n123456",
      {"12345", "oversized null 6"}, 5);
}

TEST_CASE("a line over the limit is known by its id and size, and the next one is whole", "[jsonrpc][C-28]") {
  check_lines("{\"id\":1,\"x\":\"yyyyyyyyyy\"}\n{}\n", {"oversized 1 25", "{}"}, 10);
  check_lines("{\"x\":\"yyyyyyyyyy\",\"id\":\"a\"}\n{}\n", {"oversized \"a\" 27", "{}"}, 10);
  check_lines("{\"id\":1,\"x\":\"y\"}\n{\"x\":\"y\"        }\n", {"oversized 1 16", "oversized null 17"}, 10);
}

TEST_CASE("lines of 20 MiB are skipped with the id first, last or absent", "[jsonrpc][C-28][P7]") {
  constexpr std::size_t limit = 16 * 1'024 * 1'024;
  const std::string filler(20 * 1'024 * 1'024, 'x');
  const auto size = [&](std::size_t rest) { return std::to_string(filler.size() + rest); };
  CHECK(lines_of("{\"id\":5,\"x\":\"" + filler + "\"}\n{}", limit, 65'536) ==
        std::vector<std::string>{"oversized 5 " + size(15), "{}"});
  CHECK(lines_of("{\"x\":\"" + filler + "\",\"id\":5}\n{}", limit, 65'536) ==
        std::vector<std::string>{"oversized 5 " + size(15), "{}"});
  CHECK(lines_of("{\"x\":\"" + filler + "\"}\n{}", limit, 65'536) ==
        std::vector<std::string>{"oversized null " + size(8), "{}"});
}

TEST_CASE("a line of just 16 MiB is kept", "[jsonrpc][C-28]") {
  constexpr std::size_t limit = 16 * 1'024 * 1'024;
  const std::string line(limit, 'x');
  CHECK(lines_of(line + "\r\n", limit, 4'096) == std::vector<std::string>{line});
}
