// JSON-RPC edge cases, one row of the table each (protocol checklist P89 … P115), and framing (P1 … P8).

#include "support/catch.hpp"
#include "support/server_process.hpp"

using namespace cowork_terminal::testing;

namespace {

// Sends a line and returns the one line that answers it; then the server must answer a ping (P113).
json answer_to(ServerProcess& server, std::string_view line) {
  server.send_line(line);
  auto answer = server.read_message();
  CHECK(server.answers_ping());
  CHECK(server.others.empty());
  return answer;
}

void check_silence_after(ServerProcess& server, std::string_view line) {
  server.send_line(line);
  CHECK(server.answers_ping());
  CHECK(server.others.empty());
}

// P114: an integer code and a string message.
int code_of(const json& answer) {
  REQUIRE(answer.at("jsonrpc") == "2.0");
  REQUIRE(answer.at("error").at("code").is_number_integer());
  REQUIRE(answer.at("error").at("message").is_string());
  CHECK_FALSE(answer.contains("result"));
  return answer.at("error").at("code");
}

void check_error(ServerProcess& server, std::string_view line, int code, const json& id) {
  INFO(line);
  const auto answer = answer_to(server, line);
  CHECK(code_of(answer) == code);
  CHECK(answer.at("id") == id);
}

// An error whose request has no usable id: the member is left out once 2025-11-25 was negotiated.
void check_error_without_id(ServerProcess& server, std::string_view line, int code) {
  INFO(line);
  const auto answer = answer_to(server, line);
  CHECK(code_of(answer) == code);
  CHECK_FALSE(answer.contains("id"));
}

struct Session : ServerProcess {
  explicit Session(std::string_view revision = "2025-11-25") { initialize(revision); }
};

constexpr auto call_touch =
    R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"execute_command","arguments":{"command":"touch %"}}})";

}  // namespace

TEST_CASE("row 1: what is not JSON is a parse error without id", "[P89]") {
  Session server;
  for (const std::string_view line :
       {"{bad", "{\"jsonrpc\":\"2.0\",\"id\":1", "\x01", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "nul",
        "{\"a\":1}}", "'single'"}) {
    check_error_without_id(server, line, -32700);
  }
}

TEST_CASE("row 1: the unknown id is null before an era is known and for older revisions, left out later", "[P89]") {
  ServerProcess server;
  CHECK(answer_to(server, "{bad").at("id").is_null());
  for (const auto* old : {"2024-11-05", "2025-03-26", "2025-06-18"}) {
    server.initialize(old);
    CHECK(answer_to(server, "{bad").at("id").is_null());
  }
  server.initialize("2025-11-25");
  CHECK_FALSE(answer_to(server, "{bad").contains("id"));
}

TEST_CASE("row 1: the unknown id is left out once a modern request was served", "[P89]") {
  ServerProcess server;
  server.response(server.request("server/discover", {{"_meta", modern_meta()}}));
  server.send_line("{bad");
  CHECK_FALSE(server.read_message().contains("id"));
}

TEST_CASE("row 2: blank lines are nothing", "[P90][P4]") {
  Session server;
  for (const auto* line : {"", " ", "\t \t", "\r"}) check_silence_after(server, line);
  server.send_bytes("{\"jsonrpc\":\"2.0\",\"id\":\"crlf\",\"method\":\"ping\"}\r\n");
  CHECK(server.read_message().at("id") == "crlf");
}

TEST_CASE("a byte order mark before the first message is accepted", "[P4]") {
  ServerProcess server;
  server.send_bytes("\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
  CHECK(server.read_message() == json{{"jsonrpc", "2.0"}, {"id", 1}, {"result", json::object()}});
}

TEST_CASE("row 3: JSON that is no object is an invalid request", "[P91]") {
  Session server;
  for (const auto* line : {"1", "\"text\"", "null", "true", "1.5"}) check_error_without_id(server, line, -32600);
}

TEST_CASE("row 4: arrays are refused where the revision has no batches, and nothing of them runs", "[P92]") {
  for (const auto* revision : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    Session server(revision);
    const auto answer = answer_to(server, R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])");
    CHECK(code_of(answer) == -32600);
  }
}

TEST_CASE("row 4: a batch of 2025-03-26 is answered by one array", "[P92][P115]") {
  Session server("2025-03-26");
  server.send_line(
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},)"
      R"({"jsonrpc":"2.0","id":"l","method":"tools/list"},7,)"
      R"({"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}])");
  const auto answers = server.read_message();
  REQUIRE(answers.is_array());
  REQUIRE(answers.size() == 4);
  int found = 0;
  for (const auto& answer : answers) {
    if (answer.at("id") == 1) found += answer.at("result") == json::object() ? 1 : 0;
    if (answer.at("id") == "l") found += answer.at("result").at("tools").size() == 1 ? 10 : 0;
    if (answer.at("id").is_null()) found += code_of(answer) == -32600 ? 100 : 0;
    if (answer.at("id") == 2) found += code_of(answer) == -32600 ? 1'000 : 0;
  }
  CHECK(found == 1'111);

  check_silence_after(server, R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])");
  CHECK(code_of(answer_to(server, "[]")) == -32600);
}

TEST_CASE("two calls of one batch run both, and share the room of their line", "[P115][C-13]") {
  Session server("2025-03-26");
  const auto call = [](int id) {
    return json{
        {"jsonrpc", "2.0"},
        {"id", id},
        {"method", "tools/call"},
        {"params",
         {{"name", "execute_command"}, {"arguments", {{"command", R"(head -c 1048576 /dev/zero | tr '\0' '\1')"}}}}}};
  };
  server.send(json::array({call(1), call(2)}));
  const auto line = server.read_line(milliseconds(60'000));
  REQUIRE(line);
  CHECK(line->size() <= 8 * 1'048'576);
  const auto answers = json::parse(*line);
  REQUIRE(answers.size() == 2);
  for (const auto& answer : answers)
    CHECK(json::parse(answer.at("result").at("content").at(0).at("text").get<std::string>()).at("exitCode") == 0);
}

TEST_CASE("row 5: another jsonrpc version is an invalid request", "[P93]") {
  Session server;
  check_error(server, R"({"id":"x","method":"ping"})", -32600, "x");
  check_error(server, R"({"jsonrpc":"1.0","id":4,"method":"ping"})", -32600, 4);
  check_error(server, R"({"jsonrpc":2.0,"id":4,"method":"ping"})", -32600, 4);
  check_error_without_id(server, R"({"jsonrpc":"1.0","method":"ping"})", -32600);
  check_error_without_id(server, R"({"jsonrpc":"1.0","id":1.5,"method":"ping"})", -32600);
}

TEST_CASE("row 6: ids of other types are refused and nothing runs", "[P94]") {
  Session server;
  const TemporaryFolder folder;
  for (const auto* id : {"null", "1.5", "true", "{}", "[]"}) {
    const auto line =
        json{{"jsonrpc", "2.0"},
             {"id", json::parse(id)},
             {"method", "tools/call"},
             {"params", {{"name", "execute_command"}, {"arguments", {{"command", "touch " + folder.file("ran")}}}}}};
    check_error_without_id(server, line.dump(), -32600);
  }
  CHECK(server.run("ls").at("exitCode") == 0);
  CHECK(read_file(folder.file("ran")).empty());
  CHECK(server.run("test -e " + folder.file("ran")).at("exitCode") == 1);
}

TEST_CASE("row 8: a message without a method is an invalid request", "[P96]") {
  Session server;
  check_error(server, R"({"jsonrpc":"2.0","id":1})", -32600, 1);
  check_error(server, R"({"jsonrpc":"2.0","id":2,"method":5})", -32600, 2);
  check_error(server, R"({"jsonrpc":"2.0","id":3,"method":null})", -32600, 3);
}

TEST_CASE("rows 9 and 10: unknown methods are errors, unknown notifications nothing", "[P97][P98][P24]") {
  Session server;
  for (const auto* method :
       {"nosuch", "resources/list", "prompts/list", "completion/complete", "logging/setLevel", "tasks/list"})
    check_error(server, json{{"jsonrpc", "2.0"}, {"id", method}, {"method", method}}.dump(), -32601, method);
  check_silence_after(server, R"({"jsonrpc":"2.0","method":"notifications/nosuch"})");
  check_silence_after(server, R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  check_silence_after(server, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]})");
  check_silence_after(server, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}})");
  check_silence_after(server, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}})");
}

TEST_CASE("row 11: a request method without id does not run", "[P99]") {
  Session server;
  const TemporaryFolder folder;
  std::string line = call_touch;
  line.replace(line.find('%'), 1, folder.file("ran"));
  check_silence_after(server, line);
  CHECK(server.run("test -e " + folder.file("ran")).at("exitCode") == 1);
}

TEST_CASE("rows 12 to 14: params and _meta have a shape", "[P100][P101][P102][P31]") {
  Session server;
  for (const auto* params : {"[]", "\"x\"", "1", "true"}) {
    check_error(server, R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":)" + std::string(params) + "}",
                -32602, 1);
  }
  CHECK(answer_to(server, R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":null})").contains("result"));
  for (const auto* params : {R"({})", R"({"name":7})", R"({"name":"execute_command","arguments":"x"})",
                             R"({"name":"execute_command","arguments":[1]})", R"({"name":"nosuch"})",
                             R"({"name":"execute_command","_meta":[]})", R"({"name":"execute_command","_meta":"x"})"}) {
    check_error(server, R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":)" + std::string(params) + "}",
                -32602, "c");
  }
  check_error(server, R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}})", -32602, 1);
  for (const auto* token : {"{}", "null", "1.5", "[]", "true"}) {
    check_error(
        server,
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_command","arguments":{"command":"true"},"_meta":{"progressToken":)" +
            std::string(token) + "}}}",
        -32602, 1);
  }
}

TEST_CASE("rows 15 and 16: an id may be used again once it was answered", "[P104]") {
  Session server;
  for (int i = 0; i < 3; ++i)
    CHECK(answer_to(server, R"({"jsonrpc":"2.0","id":"again","method":"ping"})").at("id") == "again");
}

TEST_CASE("rows 17 and 18: responses that nobody waits for are ignored", "[P105][P106][P78]") {
  Session server;
  for (const auto* line : {R"({"jsonrpc":"2.0","id":99,"result":{}})", R"({"jsonrpc":"2.0","result":{}})",
                           R"({"jsonrpc":"2.0","id":"srv-1","error":{"code":1,"message":"x"}})",
                           R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}})"}) {
    check_silence_after(server, line);
  }
}

TEST_CASE("row 19: a message that is both request and response is refused", "[P107]") {
  Session server;
  check_error(server, R"({"jsonrpc":"2.0","id":5,"method":"ping","result":{}})", -32600, 5);
}

TEST_CASE("rows 20 and 23: unknown members are ignored and the last of two keys wins", "[P108][P111][P39]") {
  Session server;
  CHECK(answer_to(server, R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping","extra":{"a":1}})").at("id") == 2);
  const auto answer = answer_to(
      server,
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"task":{"ttl":1},"foo":1,"name":"execute_command","arguments":{"command":"echo 1","command":"echo 2"}}})");
  CHECK(answer.at("result").at("structuredContent").at("stdout") == "2\n");
}

TEST_CASE("row 22: lines over 16 MiB are answered once, with their id wherever it stands", "[P110][P7][C-28]") {
  Session server;
  const std::string filler(20'000'000, 'x');
  server.send_line(R"({"jsonrpc":"2.0","id":"front","method":"ping","params":{"x":")" + filler + R"("}})");
  auto answer = server.read_message();
  CHECK(code_of(answer) == -32600);
  CHECK(answer.at("id") == "front");
  server.send_line(R"({"jsonrpc":"2.0","method":"ping","params":{"id":"inner","x":")" + filler + R"("},"id":12})");
  CHECK(server.read_message().at("id") == 12);
  server.send_line("[\"" + filler + "\"]");
  CHECK_FALSE(server.read_message().contains("id"));
  CHECK(server.answers_ping());
}

TEST_CASE("a line of just under 16 MiB is served", "[C-28]") {
  Session server;
  std::string line = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"")";
  line = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":")";
  line += std::string(16 * 1'048'576 - line.size() - 3, 'x') + "\"}}";
  REQUIRE(line.size() == 16 * 1'048'576);
  CHECK(answer_to(server, line).contains("result"));
  line.insert(line.size() - 3, "x");
  CHECK(code_of(answer_to(server, line)) == -32600);
}

TEST_CASE("nesting is bounded", "[C-28]") {
  Session server;
  const auto nested = [](std::size_t depth) {
    return R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":)" + std::string(depth, '[') +
           std::string(depth, ']') + "}}";
  };
  CHECK(answer_to(server, nested(50)).contains("result"));
  CHECK(code_of(answer_to(server, nested(5'000))) == -32600);
  CHECK(code_of(answer_to(server, nested(2'000'000))) == -32600);
}

TEST_CASE("a number no double can hold is a parse error or a refusal, and nothing runs", "[C-6]") {
  Session server;
  const auto answer = answer_to(
      server,
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_command","arguments":{"command":"true","timeout":1e400}}})");
  CHECK((answer.contains("error") ? code_of(answer) == -32700 : answer.at("result").at("isError") == true));
}

TEST_CASE("any output of a command is one line of valid JSON", "[P1][P2]") {
  Session server;
  server.call({{"command", R"(printf '"\\\n\r\t\b\f\001\177\342\200\250\342\200\251</script>\360\237\230\200')"}});
  const auto line = server.read_line();
  REQUIRE(line);
  CHECK(json::parse(*line).at("result").at("structuredContent").at("stdout") ==
        "\"\\\n\r\t\b\f\x01\x7f\u2028\u2029</script>\U0001f600");
  CHECK(server.answers_ping());
  CHECK(server.others.empty());
}

TEST_CASE("a result of control characters fits the line", "[P6][C-13]") {
  Session server;
  server.call({{"command", R"(head -c 1048576 /dev/zero | tr '\0' '\1' | tee /dev/stderr)"}});
  const auto line = server.read_line(milliseconds(60'000));
  REQUIRE(line);
  CHECK(line->size() <= 8 * 1'048'576);
  CHECK(line->size() > 8 * 1'048'576 - 20'000);
  const auto content = json::parse(*line).at("result").at("structuredContent");
  for (const auto* stream : {"stdout", "stderr"})
    CHECK(content.at(stream).get<std::string>().find(std::string("[") + stream + " truncated at ") !=
          std::string::npos);
}
