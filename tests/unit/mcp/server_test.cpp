#include <cowork_terminal/mcp/server.hpp>

#include "recorded_client.hpp"
#include "support/catch.hpp"

namespace {

using namespace cowork_terminal::mcp;
using cowork_terminal::mcp::tests::Call;
using cowork_terminal::mcp::tests::error_code_of;
using cowork_terminal::mcp::tests::RecordedClient;
using nlohmann::json;

constexpr std::array legacy{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

bool holds_modern_member(const json& result) {
  return result.contains("resultType") || result.contains("ttlMs") || result.contains("cacheScope") ||
         (result.contains("_meta") && result["_meta"].contains(meta_key::server_info));
}

}  // namespace

TEST_CASE("a handshake without a revision is an error and the server goes on", "[mcp][P16]") {
  RecordedClient client;
  CHECK(error_code_of(client.request(1, "initialize", json::object())) == -32602);
  CHECK(error_code_of(client.request(2, "initialize")) == -32602);
  CHECK(client.handshake("2025-11-25")["result"]["protocolVersion"] == "2025-11-25");
}

TEST_CASE("nothing but tools is advertised, and what is not is not found", "[mcp][P19]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  for (const char* name : {"logging/setLevel", "resources/list", "resources/read", "prompts/list", "prompts/get",
                           "completion/complete", "tasks/get", "tasks/list", "roots/list", "unknown/method", ""}) {
    CAPTURE(name);
    CHECK(error_code_of(client.request(1, name)) == -32601);
    CHECK(error_code_of(client.modern_request(1, name)) == -32601);
  }
}

TEST_CASE("before any handshake a ping is answered and other methods name both ways in", "[mcp][P20][P21]") {
  RecordedClient client;
  CHECK(client.request(1, "ping")["result"] == json::object());
  for (const char* name : {"tools/list", "tools/call"}) {
    const auto answer = client.request(2, name, {{"name", "probe"}});
    CHECK(error_code_of(answer) == -32602);
    const auto message = answer["error"]["message"].get<std::string>();
    CHECK(message.find("initialize") != std::string::npos);
    CHECK(message.find(meta_key::protocol_version) != std::string::npos);
  }
  CHECK(error_code_of(client.request(3, "resources/list")) == -32601);
}

TEST_CASE("tools are served right after the handshake's result", "[mcp][P22]") {
  RecordedClient client;
  client.handshake("2025-06-18");
  CHECK(client.request(1, "tools/list")["result"]["tools"].size() == 1);
}

TEST_CASE("a second handshake renegotiates", "[mcp][P23]") {
  RecordedClient client;
  CHECK(client.handshake("2024-11-05")["result"]["protocolVersion"] == "2024-11-05");
  CHECK_FALSE(client.request(1, "tools/list")["result"]["tools"][0].contains("title"));
  CHECK(client.handshake("2025-11-25")["result"]["protocolVersion"] == "2025-11-25");
  CHECK(client.request(2, "tools/list")["result"]["tools"][0].contains("title"));
}

TEST_CASE("notifications are never answered, known or not, whole or not", "[mcp][P24][P98][P99]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  const auto before = client.sent.size();
  for (const char* name : {"notifications/initialized", "notifications/roots/list_changed", "notifications/cancelled",
                           "notifications/unknown", "tools/list", "ping"})
    for (const auto& params : {json::object(), json(nullptr), json::array({1}), json("x")}) client.notify(name, params);
  bool ran = false;
  client.on_call = [&](const Call& call) {
    ran = true;
    call->finish(ToolResult::plain("x"));
  };
  client.notify("tools/call", {{"name", "probe"}});
  CHECK(client.sent.size() == before);
  CHECK_FALSE(ran);
}

TEST_CASE("a legacy result holds nothing of the modern era", "[mcp][P25]") {
  RecordedClient client;
  client.modern_request(0, "server/discover");
  for (const char* revision : legacy) {
    CAPTURE(revision);
    CHECK_FALSE(holds_modern_member(client.handshake(revision)["result"]));
    CHECK(client.request(1, "ping")["result"] == json::object());
    CHECK_FALSE(holds_modern_member(client.request(2, "tools/list")["result"]));
    CHECK_FALSE(holds_modern_member(client.call_probe(3)["result"]));
  }
}

TEST_CASE("the list of tools is the same to the byte each time", "[mcp][P27]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  CHECK(client.request(1, "tools/list")["result"].dump() == client.request(2, "tools/list")["result"].dump());
  CHECK(client.modern_request(3, "tools/list")["result"].dump() ==
        client.modern_request(4, "tools/list")["result"].dump());
}

TEST_CASE("an unknown tool is an error that names it", "[mcp][P30]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  const auto answer = client.request(1, "tools/call", {{"name", "nothing"}});
  CHECK(error_code_of(answer) == -32602);
  CHECK(answer["error"]["message"] == "Unknown tool: nothing");
  CHECK(error_code_of(client.modern_request(2, "tools/call", {{"name", "nothing"}})) == -32602);
  const auto long_name = client.request(3, "tools/call", {{"name", std::string(1'000'000, 'x')}});
  CHECK(long_name.dump().size() < 1'000);
}

TEST_CASE("a call that does not fit its schema is an error", "[mcp][P31][P101]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  client.on_call = [](const Call&) { FAIL("ran"); };
  for (const auto& params :
       {json::object(), json{{"name", 5}}, json{{"name", nullptr}}, json{{"name", "probe"}, {"arguments", "x"}},
        json{{"name", "probe"}, {"arguments", {1}}}, json{{"name", "probe"}, {"arguments", 5}}}) {
    CAPTURE(params.dump());
    CHECK(error_code_of(client.request(1, "tools/call", params)) == -32602);
    CHECK(error_code_of(client.modern_request(1, "tools/call", params)) == -32602);
  }
}

TEST_CASE("params that are no object are refused and null params are none", "[mcp][P100]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  for (const char* params : {"[]", "[1]", "\"x\"", "5", "true"}) {
    CAPTURE(params);
    client.dispatcher.receive_line(std::string(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":)") + params +
                                   "}");
    CHECK(error_code_of(client.sent.back()) == -32602);
    CHECK(client.sent.back()["id"] == 1);
  }
  client.dispatcher.receive_line(R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":null})");
  CHECK(client.sent.back().contains("result"));
}

TEST_CASE("absent and null arguments are an empty object", "[mcp][P37]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  json seen;
  client.on_call = [&](const Call& call) {
    seen = call->arguments();
    call->finish(ToolResult::plain("x"));
  };
  CHECK(client.call_probe(1).contains("result"));
  CHECK(seen == json::object());
  CHECK(client.call_probe(2, {{"arguments", nullptr}}).contains("result"));
  CHECK(seen == json::object());
  CHECK(client.call_probe(3, {{"arguments", {{"a", 1}}}}).contains("result"));
  CHECK(seen == json{{"a", 1}});
}

TEST_CASE("a cursor is unknown, since there is one page", "[mcp][P38][P112]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  CHECK(error_code_of(client.request(1, "tools/list", {{"cursor", "page 2"}})) == -32602);
  CHECK(error_code_of(client.modern_request(2, "tools/list", {{"cursor", ""}})) == -32602);
  CHECK(error_code_of(client.request(3, "tools/list", {{"cursor", 5}})) == -32602);
  CHECK(client.request(4, "tools/list", {{"cursor", nullptr}}).contains("result"));
}

TEST_CASE("unknown members of params are ignored", "[mcp][P39][P108]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  CHECK(client
            .call_probe(1,
                        {{"task", {{"ttl", 60'000}}}, {"foo", 1}, {"inputResponses", 5}, {"requestState", 5}})["result"]
            .contains("content"));
  CHECK(client.modern_call(2, {{"task", json::object()}, {"foo", 1}})["result"]["resultType"] == "complete");
}

TEST_CASE("a cancelled call is never answered and the server goes on", "[mcp][P40][P65][C-21]") {
  for (const bool with_envelope : {false, true}) {
    RecordedClient client;
    client.handshake("2025-11-25");
    std::vector<Call> open;
    int hooks = 0;
    client.on_call = [&](const Call& call) {
      open.push_back(call);
      call->on_cancel([&] { ++hooks; });
    };
    CHECK(client.call_probe(7).is_null());
    CHECK(client.modern_call(8).is_null());
    const auto before = client.sent.size();
    for (const int id : {7, 8}) {
      json params{{"requestId", id}, {"reason", "user"}};
      client.notify("notifications/cancelled",
                    with_envelope ? RecordedClient::with_envelope(params, json::object()) : params);
    }
    CHECK(hooks == 2);
    for (const auto& call : open) call->finish(ToolResult::plain("late"));
    CHECK(client.sent.size() == before);
    CHECK(client.request(9, "ping")["result"] == json::object());
  }
}

TEST_CASE("a cancellation that hits nothing is silent", "[mcp][P41]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  client.call_probe(7);
  const auto before = client.sent.size();
  for (const auto& id : {json("unknown"), json(99), json(7), json("handshake"), json(1.5), json(nullptr), json::array(),
                         json::object(), json(true)})
    client.cancel(id);
  client.notify("notifications/cancelled", json::object());
  client.notify("notifications/cancelled", json::array({7}));
  CHECK(client.sent.size() == before);
}

TEST_CASE("the string \"2\" does not cancel the number 2", "[mcp][P42]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  Call open;
  client.on_call = [&](const Call& call) { open = call; };
  client.call_probe(2);
  client.cancel("2");
  open->finish(ToolResult::plain("there"));
  CHECK(client.answer_to(2).contains("result"));
}

TEST_CASE("an id is free again once its request was cancelled", "[mcp]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  std::vector<Call> open;
  client.on_call = [&](const Call& call) { open.push_back(call); };
  client.call_probe(2);
  client.cancel(2);
  client.call_probe(2);
  REQUIRE(open.size() == 2);
  open[0]->finish(ToolResult::plain("old"));
  CHECK(client.answer_to(2).is_null());
  open[1]->finish(ToolResult::plain("new"));
  CHECK(client.answer_to(2)["result"]["content"][0]["text"] == "new");
}

TEST_CASE("discover says what is served", "[mcp][P49][P57][C-3]") {
  RecordedClient client;
  CHECK(client.modern_request("server-discover-probe-1", "server/discover")["result"] ==
        json{{"resultType", "complete"},
             {"supportedVersions", {"2026-07-28"}},
             {"capabilities", {{"tools", json::object()}}},
             {"instructions", "Instructions."},
             {"ttlMs", 300'000},
             {"cacheScope", "private"},
             {"_meta", {{meta_key::server_info, {{"name", "name"}, {"title", "Title"}, {"version", "1.2.3"}}}}}});
}

TEST_CASE("every modern result has its type and the server's name", "[mcp][P50][P57]") {
  RecordedClient client;
  for (const auto& answer :
       {client.modern_request(1, "server/discover"), client.modern_request(2, "tools/list"), client.modern_call(3)}) {
    CAPTURE(answer.dump());
    CHECK(answer["result"]["resultType"] == "complete");
    CHECK(answer["result"]["_meta"][meta_key::server_info]["name"] == "name");
  }
  const auto list = client.modern_request(4, "tools/list")["result"];
  CHECK(list["ttlMs"].is_number_unsigned());
  CHECK(list["cacheScope"] == "private");
  CHECK_FALSE(list["tools"][0].contains("execution"));
}

TEST_CASE("both eras are served in turns on one process", "[mcp][P56]") {
  RecordedClient client;
  CHECK(client.modern_request(1, "tools/list")["result"].contains("resultType"));
  CHECK(error_code_of(client.request(2, "tools/list")) == -32602);
  client.handshake("2024-11-05");
  CHECK_FALSE(client.request(3, "tools/list")["result"]["tools"][0].contains("title"));
  CHECK(client.modern_request(4, "tools/list")["result"]["tools"][0].contains("title"));
  CHECK(client.modern_call(5)["result"]["resultType"] == "complete");
  CHECK_FALSE(client.call_probe(6)["result"].contains("resultType"));
  CHECK(error_code_of(client.request(7, "server/discover")) == -32602);
  json wrong;
  wrong["_meta"] = {{meta_key::protocol_version, "2025-11-25"}, {meta_key::client_capabilities, json::object()}};
  wrong["name"] = "probe";
  CHECK(error_code_of(client.request(8, "tools/call", wrong)) == -32022);
}

TEST_CASE("methods that the modern revision removed are not found", "[mcp][P58][P85][P87]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  for (const char* name : {"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
                           "tasks/result", "tasks/list", "tasks/get", "unknown/method"}) {
    CAPTURE(name);
    CHECK(error_code_of(client.modern_request(1, name, {{"protocolVersion", "2025-11-25"}})) == -32601);
  }
}

TEST_CASE("what is wrong first is said first", "[mcp]") {
  RecordedClient client;
  CHECK(error_code_of(client.request(1, "unknown", {{"_meta", {{meta_key::client_info, json::object()}}}})) == -32602);
  json wrong_version;
  wrong_version["_meta"] = {{meta_key::protocol_version, "1"}, {meta_key::client_capabilities, json::object()}};
  CHECK(error_code_of(client.request(2, "unknown", wrong_version)) == -32022);
  CHECK(error_code_of(client.modern_request(3, "unknown", {{"name", 5}})) == -32601);
  client.dispatcher.receive_line(R"({"jsonrpc":"2.0","id":4,"method":"unknown","params":[]})");
  CHECK(error_code_of(client.sent.back()) == -32601);
}

TEST_CASE("nothing of one modern request is used for the next", "[mcp][P59]") {
  RecordedClient client;
  std::vector<bool> seen;
  client.on_call = [&](const Call& call) {
    seen.push_back(call->client_has("elicitation"));
    call->finish(ToolResult::plain("x"));
  };
  client.modern_call(1, json::object(), {{"elicitation", json::object()}});
  client.modern_call(2, json::object(), json::object());
  CHECK(seen == std::vector<bool>{true, false});
}

TEST_CASE("an error without an id follows the era", "[mcp][P89]") {
  const auto error_line = [](RecordedClient& client) {
    client.dispatcher.receive_line("{oops");
    return client.sent.back();
  };
  RecordedClient client;
  CHECK(error_line(client)["id"].is_null());
  CHECK(error_line(client).contains("id"));
  for (const char* revision : legacy) {
    CAPTURE(revision);
    client.handshake(revision);
    CHECK(error_line(client).contains("id") == (std::string(revision) != "2025-11-25"));
  }
  RecordedClient modern;
  modern.modern_request(1, "server/discover");
  CHECK_FALSE(error_line(modern).contains("id"));
}

TEST_CASE("batches belong to revision 2025-03-26", "[mcp][P92][P115]") {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},)"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/list"}])";
  RecordedClient client;
  client.dispatcher.receive_line(batch);
  CHECK(error_code_of(client.sent.back()) == -32600);
  for (const char* revision : legacy) {
    CAPTURE(revision);
    client.handshake(revision);
    client.dispatcher.receive_line(batch);
    if (std::string(revision) == "2025-03-26") {
      REQUIRE(client.sent.back().is_array());
      CHECK(client.sent.back().size() == 2);
    } else {
      CHECK(error_code_of(client.sent.back()) == -32600);
    }
  }
}

TEST_CASE("a handshake inside a batch is refused, alone in it or not", "[mcp][P115]") {
  RecordedClient client;
  client.handshake("2025-03-26");
  const json handshake{
      {"jsonrpc", "2.0"}, {"id", 1}, {"method", "initialize"}, {"params", {{"protocolVersion", "2025-11-25"}}}};
  client.send(json::array({handshake}));
  REQUIRE(client.sent.back().is_array());
  CHECK(error_code_of(client.sent.back()[0]) == -32600);
  client.send(json::array({handshake, {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "ping"}}}));
  REQUIRE(client.sent.back().size() == 2);
  // Still the old revision.
  CHECK(client.call_probe(3)["result"].contains("content"));
  CHECK_FALSE(client.request(4, "tools/list")["result"]["tools"][0].contains("title"));
}

TEST_CASE("a modern request inside a batch is refused in its place", "[mcp][P92]") {
  RecordedClient client;
  client.handshake("2025-03-26");
  const json modern{{"jsonrpc", "2.0"},
                    {"id", 1},
                    {"method", "tools/list"},
                    {"params", RecordedClient::with_envelope(json::object(), json::object())}};
  client.send(json::array({modern, {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "ping"}}}));
  REQUIRE(client.sent.back().size() == 2);
  for (const auto& answer : client.sent.back()) CHECK(error_code_of(answer) == (answer["id"] == 1 ? -32600 : 0));
}

TEST_CASE("two calls of one batch both run and share the line", "[mcp][P115][C-13]") {
  RecordedClient client;
  client.handshake("2025-03-26");
  std::vector<Call> open;
  client.on_call = [&](const Call& call) { open.push_back(call); };
  const auto call = [](int id) {
    return json{{"jsonrpc", "2.0"}, {"id", id}, {"method", "tools/call"}, {"params", {{"name", "probe"}}}};
  };
  const auto before = client.sent.size();
  client.send(json::array({call(1), call(2)}));
  REQUIRE(open.size() == 2);
  CHECK(open[0]->room().bytes <= 4 * 1'024 * 1'024);
  open[1]->finish(ToolResult::plain("b"));
  CHECK(client.sent.size() == before);
  open[0]->finish(ToolResult::plain("a"));
  REQUIRE(client.sent.back().is_array());
  CHECK(client.sent.back().size() == 2);
}

TEST_CASE("what a tool throws is an error of its call alone", "[mcp][P109][C-30]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  client.on_call = [](const Call&) { throw std::runtime_error("secret detail"); };
  const auto answer = client.call_probe(1);
  CHECK(error_code_of(answer) == -32603);
  CHECK(answer.dump().find("secret") == std::string::npos);
  REQUIRE_FALSE(client.log.empty());
  CHECK(client.log.back().find("secret detail") != std::string::npos);
  client.on_call = [](const Call&) { throw 5; };
  CHECK(error_code_of(client.modern_call(2)) == -32603);
  client.on_call = RecordedClient::finish_plainly;
  CHECK(client.call_probe(3).contains("result"));
}

TEST_CASE("an id in flight is not taken twice", "[mcp][P103][P104]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  Call open;
  client.on_call = [&](const Call& call) { open = call; };
  client.call_probe(5);
  CHECK(error_code_of(client.request(5, "ping")) == -32600);
  open->finish(ToolResult::plain("first"));
  CHECK(client.sent.back()["result"]["content"][0]["text"] == "first");
  CHECK(client.request(5, "ping").contains("result"));
}

TEST_CASE("errors use the codes of the list and nothing else", "[mcp][P114]") {
  RecordedClient client;
  client.handshake("2025-11-25");
  client.on_call = [](const Call& call) { call->fail(-32021, "Missing required client capability"); };
  client.call_probe(1);
  client.request(2, "unknown");
  client.request(3, "tools/call", json::array());
  client.modern_request(4, "tools/call", {{"name", "nothing"}});
  client.dispatcher.receive_line("5");
  const std::vector<int> allowed{-32700, -32600, -32601, -32602, -32603, -32021, -32022};
  int errors = 0;
  for (const auto& message : client.sent) {
    if (!message.contains("error")) continue;
    ++errors;
    CHECK(message["error"]["message"].is_string());
    CHECK(std::count(allowed.begin(), allowed.end(), tests::error_code_of(message)) == 1);
  }
  CHECK(errors == 5);
}
