#include "jsonrpc/oversized_line_scanner.hpp"

#include <cowork_terminal/jsonrpc/message.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

using cowork_terminal::jsonrpc::max_id_size;
using cowork_terminal::jsonrpc::OversizedLineScanner;
using nlohmann::json;

namespace {

json id_of(std::string_view text, std::size_t piece_size) {
  OversizedLineScanner scanner;
  for (std::size_t i = 0; i < text.size(); i += piece_size) scanner.feed(text.substr(i, piece_size));
  return scanner.id();
}

}  // namespace

TEST_CASE("the top-level id is found wherever it stands and however the text is cut", "[jsonrpc][C-28]") {
  const std::vector<std::pair<std::string, json>> samples{
      {R"({"id":7,"x":"y"})", 7},
      {R"({"x":"y","id":"a"})", "a"},
      {R"({"x":{"id":1},"id":2,"y":[{"id":3}]})", 2},
      {R"({"x":{"id":1},"y":[{"id":3},"id",4]})", nullptr},
      {R"( { "x" : [1,2] , "id" : -5 } )", -5},
      {R"({"x":"\"id\":1,","id":18446744073709551615})", 18446744073709551615U},
      {R"({"\u0069\u0064":"\u00e9\n\ud83d\ude00"})", "é\n😀"},
      {R"({"x":"id","id":1})", 1},
      {R"({"id":1,"id":"last"})", "last"},
      {R"({"id":1,"id":null})", nullptr},
      {R"({"id":1,"id":{"id":2}})", nullptr},
      {R"({"id":1,"id":[3]})", nullptr},
      {R"({"id":1.5})", nullptr},
      {R"({"id":true})", nullptr},
      {R"({"id":""})", ""},
      {R"({"id":1)", 1},
      {R"({"x":1,"id":12 )", 12},
      {R"({"id":"cut)", nullptr},
      {R"({"id":1}{"id":2})", 1},
      {R"([{"id":1}])", nullptr},
      {R"("id")", nullptr},
      {R"(x{"id":1})", nullptr},
      {R"({"ID":1,"id ":2,"i\\u0064":3})", nullptr},
      {R"({"x":"\\","id":4})", 4},
      {R"({"x":]]]]}}}}"id":4})", nullptr},
      {"{\"id\":\"\xFF\"}", nullptr},
      {"", nullptr},
  };
  for (const auto& [text, id] : samples) {
    for (const std::size_t piece_size : {std::size_t{1}, std::size_t{2}, std::size_t{3}, text.size() + 1}) {
      INFO(text << " in pieces of " << piece_size);
      CHECK(id_of(text, piece_size) == id);
    }
  }
}

TEST_CASE("keys and ids without end are not kept", "[jsonrpc][C-28]") {
  const std::string longest(max_id_size - 2, 'x');
  CHECK(id_of("{\"id\":\"" + longest + "\"}", 1'000) == longest);
  CHECK(id_of("{\"id\":\"" + longest + "x\"}", 1'000).is_null());
  CHECK(id_of("{\"" + std::string(5'000'000, 'i') + "\":1,\"id\":2}", 65'536) == 2);
  CHECK(id_of("{\"id\":" + std::string(5'000'000, '1') + "}", 65'536).is_null());
  CHECK(id_of(std::string(5'000'000, '[') + "\"id\":1", 65'536).is_null());
  CHECK(id_of("{\"a\":" + std::string(1'000'000, '{') + std::string(1'000'000, '}') + ",\"id\":1}", 65'536) == 1);
}
