#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <stdexcept>
#include <string>
#include <variant>

#include "support/catch.hpp"
#include "unit/jsonrpc/recorded_lines.hpp"

using namespace cowork_terminal::jsonrpc;
using nlohmann::json;

namespace {

void answer_by(RecordedLines& wire, std::function<void(Request, ReplyOnce&)> on_request) {
  MessageHandlers handlers;
  handlers.on_request = std::move(on_request);
  handlers.log = [&wire](std::string_view line) { wire.log.emplace_back(line); };
  wire.dispatcher.handle(std::move(handlers));
}

}  // namespace

TEST_CASE("broken lines are answered and change nothing", "[jsonrpc][P89][C-28]") {
  RecordedLines wire;
  wire.dispatcher.receive_line("{\"jsonrpc\":");
  CHECK(wire.last_code() == -32700);
  CHECK(wire.last().at("id").is_null());
  wire.dispatcher.set_unknown_id(UnknownId::omitted);
  wire.dispatcher.receive_line("\xFF");
  CHECK(wire.last_code() == -32700);
  CHECK_FALSE(wire.last().contains("id"));
  wire.dispatcher.receive_line("5");
  CHECK(wire.last_code() == -32600);
  CHECK_FALSE(wire.last().contains("id"));
  wire.request(1);
  CHECK(wire.requests.size() == 1);
}

TEST_CASE("a message nested too deep is refused with its id", "[jsonrpc]") {
  RecordedLines wire;
  const std::string deep = std::string(200, '[') + std::string(200, ']');
  wire.dispatcher.receive_line(R"({"jsonrpc":"2.0","params":)" + deep + R"(,"id":"d","method":"m"})");
  CHECK(wire.last_code() == -32600);
  CHECK(wire.last()["id"] == "d");
  CHECK(wire.requests.empty());
}

TEST_CASE("an oversized line is answered with its size, the limit and its id", "[jsonrpc][C-28][P110]") {
  RecordedLines wire;
  wire.dispatcher.receive_oversized_line("big", 20'971'535, 16'777'216);
  CHECK(wire.last_code() == -32600);
  CHECK(wire.last()["id"] == "big");
  const auto text = wire.last()["error"]["message"].get<std::string>();
  CHECK(text.find("Message too large: 20971535 bytes; the limit is 16777216 bytes (16 MiB)") == 0);
  wire.dispatcher.receive_oversized_line(nullptr, 20, 10);
  CHECK(wire.last().at("id").is_null());
}

TEST_CASE("the second request with a live id is refused and the first goes on", "[jsonrpc][P103]") {
  RecordedLines wire;
  wire.request(1);
  wire.request(1);
  CHECK(wire.last() == make_error(1, {ErrorCode::invalid_request, "Request id already in use"}));
  REQUIRE(wire.requests.size() == 1);
  wire.request("1");
  CHECK(wire.requests.size() == 2);
  wire.replies[0].result("first");
  CHECK(wire.last() == make_result(1, "first"));
}

TEST_CASE("an id may be used again once its request is answered or cancelled", "[jsonrpc][P104]") {
  RecordedLines wire;
  wire.request(1);
  wire.replies[0].result(0);
  wire.request(1);
  CHECK(wire.dispatcher.cancel(1));
  wire.request(1);
  REQUIRE(wire.replies.size() == 3);
  wire.replies[1].result("of the cancelled one");
  wire.replies[2].result("third");
  CHECK(wire.lines == std::vector<json>{make_result(1, 0), make_result(1, "third")});
}

TEST_CASE("cancelling tells ids of different types apart", "[jsonrpc][P42]") {
  RecordedLines wire;
  wire.request(2);
  CHECK_FALSE(wire.dispatcher.cancel("2"));
  CHECK_FALSE(wire.dispatcher.cancel(2.0));
  CHECK_FALSE(wire.dispatcher.cancel(nullptr));
  CHECK_FALSE(wire.dispatcher.cancel(json{{"a", 1}}));
  CHECK(wire.dispatcher.in_flight() == 1);
  CHECK(wire.dispatcher.cancel(2));
}

TEST_CASE("an error thrown by the layer above is the answer", "[jsonrpc]") {
  RecordedLines wire;
  answer_by(wire, [](Request, ReplyOnce&) { throw Error{-32601, "Method not found: m", {{"a", 1}}}; });
  wire.request(1);
  CHECK(wire.last() == make_error(1, {-32601, "Method not found: m", {{"a", 1}}}));
  CHECK(wire.lines.size() == 1);
}

TEST_CASE("any other exception is an internal error that tells the client nothing", "[jsonrpc][P109][C-30]") {
  RecordedLines wire;
  answer_by(wire, [](Request, ReplyOnce&) { throw std::runtime_error("the secret"); });
  wire.request(1);
  CHECK(wire.last() == make_error(1, {ErrorCode::internal_error, "Internal error"}));
  REQUIRE(wire.log.size() == 1);
  CHECK(wire.log[0].find("the secret") != std::string::npos);

  answer_by(wire, [](Request, ReplyOnce&) { throw 5; });
  wire.request(2);
  CHECK(wire.last_code() == -32603);
}

TEST_CASE("an exception after the reply was kept still answers the request", "[jsonrpc][C-30]") {
  RecordedLines wire;
  answer_by(wire, [&](Request, ReplyOnce& reply) {
    wire.replies.push_back(std::move(reply));
    throw std::runtime_error("too late");
  });
  wire.request(1);
  CHECK(wire.last_code() == -32603);
  CHECK_FALSE(wire.replies[0].pending());
  CHECK(wire.dispatcher.in_flight() == 0);
}

TEST_CASE("a request that nobody takes is answered", "[jsonrpc][C-30]") {
  RecordedLines wire;
  answer_by(wire, [](Request, ReplyOnce&) {});
  wire.request(1);
  CHECK(wire.last_code() == -32603);
}

TEST_CASE("an exception in a notification, response or hook harms nothing", "[jsonrpc][C-30]") {
  RecordedLines wire;
  MessageHandlers handlers;
  handlers.on_notification = [](Notification) { throw std::runtime_error("n"); };
  handlers.on_request = [&](Request, ReplyOnce& reply) {
    reply.on_cancel([] { throw Error{1, "c"}; });
    wire.replies.push_back(std::move(reply));
  };
  handlers.log = [&](std::string_view line) { wire.log.emplace_back(line); };
  wire.dispatcher.handle(std::move(handlers));
  wire.dispatcher.receive_line(serialize(make_notification("n", nullptr)));
  const json id = wire.dispatcher.call("roots/list", nullptr, [](auto) { throw 5; });
  wire.dispatcher.receive_line(serialize(make_result(id, 1)));
  wire.request(1);
  CHECK(wire.dispatcher.cancel(1));
  CHECK(wire.log.size() == 3);
}

TEST_CASE("an answer over 8 MiB is a bug that becomes an internal error", "[jsonrpc][C-13]") {
  RecordedLines wire;
  wire.request(1);
  wire.replies[0].result(std::string(max_answer_size - 36, 'x'));
  CHECK(wire.last_code() == 0);
  wire.request(1);
  wire.replies[1].result(std::string(max_answer_size, 'x'));
  CHECK(wire.last_code() == -32603);
  CHECK(wire.last()["id"] == 1);
  CHECK(wire.log.size() == 1);
}

TEST_CASE("our own requests are numbered and hear their response once", "[jsonrpc]") {
  RecordedLines wire;
  std::vector<std::variant<json, Error>> heard;
  const auto hear = [&](std::variant<json, Error> outcome) { heard.push_back(std::move(outcome)); };
  const json first = wire.dispatcher.call("elicitation/create", {{"message", "?"}}, hear);
  const json second = wire.dispatcher.call("elicitation/create", nullptr, hear);
  CHECK(first == "srv-1");
  CHECK(second == "srv-2");
  CHECK(wire.lines[0] == make_request("srv-1", "elicitation/create", {{"message", "?"}}));
  CHECK(wire.dispatcher.in_flight() == 0);

  wire.dispatcher.receive_line(R"({"jsonrpc":"2.0","id":"srv-2","error":{"code":-1,"message":"no"}})");
  wire.dispatcher.receive_line(R"({"jsonrpc":"2.0","id":"srv-1","result":{"action":"cancel"}})");
  wire.dispatcher.receive_line(R"({"jsonrpc":"2.0","id":"srv-1","result":{"action":"accept"}})");
  REQUIRE(heard.size() == 2);
  CHECK(std::get<Error>(heard[0]).message == "no");
  CHECK(std::get<json>(heard[1])["action"] == "cancel");
  CHECK(wire.log.size() == 1);
}

TEST_CASE("late, unknown and malformed responses are ignored and logged", "[jsonrpc][P78][P105][P106]") {
  RecordedLines wire;
  bool heard = false;
  wire.dispatcher.forget(wire.dispatcher.call("m", nullptr, [&](auto) { heard = true; }));
  const std::size_t sent = wire.lines.size();
  wire.dispatcher.receive_line(R"({"jsonrpc":"2.0","id":"srv-1","result":1})");
  wire.dispatcher.receive_line(R"({"jsonrpc":"2.0","id":7,"result":1})");
  wire.dispatcher.receive_line(R"({"jsonrpc":"2.0","result":1})");
  wire.dispatcher.receive_line(R"({"jsonrpc":"2.0","id":"srv-1","result":1,"error":{}})");
  CHECK_FALSE(heard);
  CHECK(wire.lines.size() == sent);
  CHECK(wire.log.size() == 4);
}

TEST_CASE("a client request with the id of one of ours is a request of its own", "[jsonrpc][P77]") {
  RecordedLines wire;
  bool heard = false;
  wire.dispatcher.call("m", nullptr, [&](auto) { heard = true; });
  wire.request("srv-1");
  REQUIRE(wire.requests.size() == 1);
  wire.replies[0].result(1);
  CHECK_FALSE(heard);
  wire.dispatcher.receive_line(R"({"jsonrpc":"2.0","id":"srv-1","result":1})");
  CHECK(heard);
}

TEST_CASE("idle is told when the last request in flight has ended, after its line", "[jsonrpc][C-26]") {
  RecordedLines wire;
  std::vector<std::size_t> lines_at_idle;
  wire.dispatcher.on_idle([&] { lines_at_idle.push_back(wire.lines.size()); });
  wire.dispatcher.set_batches_allowed(true);
  wire.dispatcher.receive_line(serialize(json{make_request(1, "m", nullptr), make_request(2, "m", nullptr)}));
  wire.replies[0].result(1);
  CHECK(lines_at_idle.empty());
  wire.replies[1].result(1);
  CHECK(lines_at_idle == std::vector<std::size_t>{1});
  wire.request(3);
  wire.dispatcher.cancel(3);
  CHECK(lines_at_idle == std::vector<std::size_t>{1, 1});
  wire.request(4);
  wire.replies[3].drop();
  CHECK(lines_at_idle.size() == 3);
}

TEST_CASE("notifications of ours are one line each", "[jsonrpc]") {
  RecordedLines wire;
  wire.dispatcher.notify("notifications/progress", {{"progress", 1}});
  CHECK(wire.last() == make_notification("notifications/progress", {{"progress", 1}}));
}
