#include <cowork_terminal/jsonrpc/message.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/catch.hpp"

using namespace cowork_terminal::jsonrpc;
using nlohmann::json;

namespace {

Message message_of(std::string_view line) { return to_message(std::get<json>(parse_line(line))); }

int code_of_line(std::string_view line) {
  const auto parsed = parse_line(line);
  const auto* error = std::get_if<Error>(&parsed);
  return error == nullptr ? 0 : error->code;
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

// What an Invalid is answered with: its code and the id that stands in the answer.
std::pair<int, json> refusal_of(std::string_view line) {
  const Message message = message_of(line);
  const auto* invalid = std::get_if<Invalid>(&message);
  if (invalid == nullptr) return {0, "not refused"};
  return {invalid->error.code, invalid->id};
}

}  // namespace

TEST_CASE("what is not JSON in UTF-8 is a parse error", "[jsonrpc][P89]") {
  const std::vector<std::string> lines{"x",
                                       "{",
                                       R"({"a":1)",
                                       R"({"a":1}})",
                                       R"({"a":1} {})",
                                       "{\"a\":\"\xFF\"}",
                                       "{\"a\":\"\xED\xA0\x80\"}",
                                       "{\"a\":\"\xC0\xAF\"}",
                                       "{\"a\":\"\xE2\x82\"}",
                                       R"({"a":"\ud800"})",
                                       R"({"a":01})",
                                       R"({"a":1e400})",
                                       R"({'a':1})",
                                       R"({"a":NaN})",
                                       R"([1,])",
                                       R"({"a":1}//)",
                                       "\xEF\xBB\xBF{}",
                                       "{}\xEF\xBB\xBF",
                                       "{\"a\":\"\t\"}",
                                       std::string("{}\0", 3),
                                       std::string("{}\0garbage", 10),
                                       std::string("{\"a\":\"\0\"}", 9),
                                       std::string("\0", 1)};
  for (const std::string& line : lines) {
    INFO(line);
    CHECK(code_of_line(line) == -32700);
  }
}

TEST_CASE("what is JSON is parsed", "[jsonrpc]") {
  for (const std::string line :
       {"{}", "[]", "1", "null", " {\"a\" : [1, 2.5e3, \"\\u0000\\ud83d\\ude00\"]}\t", "1e-400"}) {
    INFO(line);
    CHECK(code_of_line(line) == 0);
  }
}

TEST_CASE("nesting is bounded, and brackets in strings do not count", "[jsonrpc]") {
  CHECK(code_of_line(nested(max_nesting)) == 0);
  CHECK(code_of_line(nested(max_nesting + 1)) == -32600);
  CHECK(code_of_line(nested(500'000)) == -32600);
  CHECK(code_of_line(std::string(500'000, '[')) == -32700);
  CHECK(code_of_line('"' + std::string(1'000, '[') + "\\\"" + std::string(1'000, '{') + '"') == 0);
  CHECK(code_of_line("\"\\\\\"" + std::string(1, ' ')) == 0);
}

TEST_CASE("ids are strings or integers of any size and come back exactly", "[jsonrpc][P95]") {
  for (const std::string id : {"0", "-1", "\"\"", "\"0\"", "9007199254740993", "18446744073709551615",
                               "-9223372036854775808", "\"a\\u0000\\\"b\"", "\"é\""}) {
    INFO(id);
    const Message message = message_of(R"({"jsonrpc":"2.0","method":"m","id":)" + id + "}");
    REQUIRE(std::holds_alternative<Request>(message));
    CHECK(std::get<Request>(message).id == json::parse(id));
    CHECK(std::get<Request>(message).id.type() == json::parse(id).type());
    CHECK(json::parse(serialize(make_result(std::get<Request>(message).id, 1)))["id"] == json::parse(id));
  }
}

TEST_CASE("a request with an id of another kind is refused without an id", "[jsonrpc][P94]") {
  for (const std::string id : {"null", "1.5", "1.0", "true", "{}", "[]", "18446744073709551616"}) {
    INFO(id);
    CHECK(refusal_of(R"({"jsonrpc":"2.0","method":"m","id":)" + id + "}") == std::pair<int, json>{-32600, nullptr});
  }
  const std::string longest = '"' + std::string(max_id_size - 2, 'x') + '"';
  CHECK(std::holds_alternative<Request>(message_of(R"({"jsonrpc":"2.0","method":"m","id":)" + longest + "}")));
  const std::string too_long = '"' + std::string(max_id_size - 1, 'x') + '"';
  CHECK(refusal_of(R"({"jsonrpc":"2.0","method":"m","id":)" + too_long + "}") == std::pair<int, json>{-32600, nullptr});
}

TEST_CASE("a value that is no object is refused without an id", "[jsonrpc][P91]") {
  for (const char* line : {"1", "\"x\"", "null", "true", "[]"}) {
    CHECK(refusal_of(line) == std::pair<int, json>{-32600, nullptr});
  }
}

TEST_CASE("a message of another JSON-RPC version is refused with its id", "[jsonrpc][P93]") {
  CHECK(refusal_of(R"({"id":7,"method":"m"})") == std::pair<int, json>{-32600, 7});
  CHECK(refusal_of(R"({"jsonrpc":"1.0","id":"a","method":"m"})") == std::pair<int, json>{-32600, "a"});
  CHECK(refusal_of(R"({"jsonrpc":2.0,"id":"a","method":"m"})") == std::pair<int, json>{-32600, "a"});
  CHECK(refusal_of(R"({"jsonrpc":"1.0","id":null,"method":"m"})") == std::pair<int, json>{-32600, nullptr});
  CHECK(refusal_of(R"({"method":"m"})") == std::pair<int, json>{-32600, nullptr});
}

TEST_CASE("a message without a usable method is refused with its id", "[jsonrpc][P96]") {
  CHECK(refusal_of(R"({"jsonrpc":"2.0","id":7})") == std::pair<int, json>{-32600, 7});
  CHECK(refusal_of(R"({"jsonrpc":"2.0","id":7,"method":1})") == std::pair<int, json>{-32600, 7});
  CHECK(refusal_of(R"({"jsonrpc":"2.0","method":null})") == std::pair<int, json>{-32600, nullptr});
  CHECK(refusal_of("{}") == std::pair<int, json>{-32600, nullptr});
}

TEST_CASE("a method beside a result is refused with its id", "[jsonrpc][P107]") {
  CHECK(refusal_of(R"({"jsonrpc":"2.0","id":7,"method":"m","result":{}})") == std::pair<int, json>{-32600, 7});
  CHECK(refusal_of(R"({"jsonrpc":"2.0","id":7,"method":"m","error":{}})") == std::pair<int, json>{-32600, 7});
}

TEST_CASE("a method without an id is a notification", "[jsonrpc][P99]") {
  const Message message = message_of(R"({"jsonrpc":"2.0","method":"tools/call","params":{"a":1}})");
  REQUIRE(std::holds_alternative<Notification>(message));
  CHECK(std::get<Notification>(message).method == "tools/call");
  CHECK(std::get<Notification>(message).params == json{{"a", 1}});
}

TEST_CASE("params are handed on as they came, null for absent", "[jsonrpc][P100]") {
  const auto params_of = [](const std::string& member) {
    return std::get<Request>(message_of(R"({"jsonrpc":"2.0","id":1,"method":"m")" + member + "}")).params;
  };
  CHECK(params_of("").is_null());
  CHECK(params_of(R"(,"params":null)").is_null());
  CHECK(params_of(R"(,"params":[1])") == json{1});
  CHECK(params_of(R"(,"params":"x")") == "x");
  CHECK(params_of(R"(,"params":{"a":null},"extra":1)") == json{{"a", nullptr}});
}

TEST_CASE("the last of two members with one name wins", "[jsonrpc][P111]") {
  const Message message = message_of(R"({"jsonrpc":"1.0","id":1,"id":2,"method":"a","method":"b","jsonrpc":"2.0"})");
  REQUIRE(std::holds_alternative<Request>(message));
  CHECK(std::get<Request>(message).id == 2);
  CHECK(std::get<Request>(message).method == "b");
}

TEST_CASE("responses carry a result or an error", "[jsonrpc]") {
  const Message result = message_of(R"({"jsonrpc":"2.0","id":"srv-1","result":{"a":1}})");
  REQUIRE(std::holds_alternative<Response>(result));
  CHECK(std::get<json>(std::get<Response>(result).outcome) == json{{"a", 1}});

  const Message error = message_of(R"({"jsonrpc":"2.0","id":"srv-1","error":{"code":-1,"message":"no","data":[1]}})");
  REQUIRE(std::holds_alternative<Response>(error));
  CHECK(std::get<Response>(error).id == "srv-1");
  const Error& outcome = std::get<Error>(std::get<Response>(error).outcome);
  CHECK(outcome.code == -1);
  CHECK(outcome.message == "no");
  CHECK(outcome.data == json{1});

  const Message huge = message_of(R"({"jsonrpc":"2.0","id":"srv-1","error":{"code":-9e3,"message":""}})");
  CHECK(std::holds_alternative<Ignored>(huge));
  const Message far = message_of(R"({"jsonrpc":"2.0","id":1,"error":{"code":18446744073709551615,"message":""}})");
  CHECK(std::get<Error>(std::get<Response>(far).outcome).code == 2147483647);
}

TEST_CASE("malformed responses are ignored, never answered", "[jsonrpc][P105][P106]") {
  const std::vector<std::string> lines{
      R"({"jsonrpc":"2.0","result":{}})",
      R"({"jsonrpc":"2.0","id":null,"result":{}})",
      R"({"jsonrpc":"2.0","id":1.5,"error":{"code":1,"message":""}})",
      R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}})",
      R"({"jsonrpc":"2.0","id":1,"error":null})",
      R"({"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"x"}})",
      R"({"jsonrpc":"2.0","id":1,"error":{"code":1}})",
      R"({"id":1,"result":{}})",
  };
  for (const std::string& line : lines) {
    INFO(line);
    const Message message = message_of(line);
    REQUIRE(std::holds_alternative<Ignored>(message));
    CHECK_FALSE(std::get<Ignored>(message).reason.empty());
  }
}

TEST_CASE("what we make is what we read", "[jsonrpc]") {
  CHECK(make_notification("n", nullptr) == json{{"jsonrpc", "2.0"}, {"method", "n"}});
  CHECK(make_error(nullptr, {ErrorCode::parse_error, "x"}) ==
        json::parse(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}})"));
  CHECK(make_error(1, {-32022, "x", json{{"supported", json::array()}}})["error"]["data"].contains("supported"));

  const Message request = to_message(make_request("srv-1", "m", {{"a", 1}}));
  REQUIRE(std::holds_alternative<Request>(request));
  CHECK(std::get<Request>(request).params == json{{"a", 1}});
  CHECK(std::holds_alternative<Notification>(to_message(make_notification("n", {{"a", 1}}))));
  CHECK(std::holds_alternative<Response>(to_message(make_result(1, nullptr))));
}
