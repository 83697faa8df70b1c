#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/jsonrpc/recorded_lines.hpp"

using namespace cowork_terminal::jsonrpc;
using nlohmann::json;

namespace {

struct BatchingLines : RecordedLines {
  BatchingLines() { dispatcher.set_batches_allowed(true); }

  void batch(const std::vector<json>& messages) { dispatcher.receive_line(serialize(messages)); }
};

json request_of(const json& id) { return make_request(id, "m", nullptr); }

std::string repeated(const std::string& element, std::size_t count) {
  std::string line = "[" + element;
  while (--count > 0) line += "," + element;
  return line + "]";
}

}  // namespace

TEST_CASE("the answers of a batch go out as one array when the last one is there", "[jsonrpc][P115]") {
  BatchingLines wire;
  wire.batch({request_of(1), make_notification("n", nullptr), request_of("b")});
  REQUIRE(wire.replies.size() == 2);
  CHECK(wire.notifications.size() == 1);
  CHECK(wire.dispatcher.in_flight() == 2);
  wire.replies[1].result("second");
  CHECK(wire.lines.empty());
  wire.replies[0].result("first");
  REQUIRE(wire.lines.size() == 1);
  CHECK(wire.last() == json{make_result("b", "second"), make_result(1, "first")});
}

TEST_CASE("a batch without requests is not answered", "[jsonrpc][P115]") {
  BatchingLines wire;
  wire.batch({make_notification("n", nullptr), make_result("srv-9", 1), make_notification("n", nullptr)});
  CHECK(wire.lines.empty());
  CHECK(wire.notifications.size() == 2);
}

TEST_CASE("an empty batch gets one error", "[jsonrpc][P115]") {
  BatchingLines wire;
  wire.batch({});
  CHECK(wire.lines.size() == 1);
  CHECK(wire.last_code() == -32600);
  CHECK(wire.last().at("id").is_null());
}

TEST_CASE("each bad element of a batch gets an error in the array", "[jsonrpc]") {
  BatchingLines wire;
  wire.dispatcher.set_unknown_id(UnknownId::omitted);
  wire.batch({1, json::array(), request_of(nullptr), request_of(5), request_of(5), {{"id", 6}}});
  REQUIRE(wire.replies.size() == 1);
  wire.replies[0].result(true);
  REQUIRE(wire.last().is_array());
  REQUIRE(wire.last().size() == 6);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(wire.last()[i]["error"]["code"] == -32600);
    CHECK_FALSE(wire.last()[i].contains("id"));
  }
  CHECK(wire.last()[3]["error"]["message"] == "Request id already in use");
  CHECK(wire.last()[4]["id"] == 6);
  CHECK(wire.last()[5] == make_result(5, true));
}

TEST_CASE("a batch of errors alone is an array at once", "[jsonrpc]") {
  BatchingLines wire;
  wire.batch({1});
  REQUIRE(wire.last().is_array());
  CHECK(wire.last()[0]["error"]["code"] == -32600);
}

TEST_CASE("cancelled members leave the array", "[jsonrpc][C-21]") {
  BatchingLines wire;
  wire.batch({request_of(1), request_of(2)});
  wire.replies[0].result("first");
  CHECK(wire.dispatcher.cancel(2));
  CHECK(wire.last() == json{make_result(1, "first")});

  wire.batch({request_of(3), request_of(4)});
  wire.dispatcher.cancel(3);
  wire.dispatcher.cancel(4);
  CHECK(wire.lines.size() == 1);
}

TEST_CASE("the members of a batch know that they share a line", "[jsonrpc][C-13]") {
  BatchingLines wire;
  wire.batch({request_of(1), request_of(2), make_notification("n", nullptr)});
  wire.batch({request_of(3)});
  CHECK(wire.replies[0].line_sharers() == 2);
  CHECK(wire.replies[1].in_batch());
  CHECK(wire.replies[2].line_sharers() == 1);
  CHECK(wire.replies[2].in_batch());
}

TEST_CASE("every member of a batch hears whether the array was written", "[jsonrpc]") {
  BatchingLines wire;
  int written = 0;
  wire.batch({request_of(1), request_of(2), request_of(3)});
  for (ReplyOnce& reply : wire.replies) reply.result(1, [&](bool was_written) { written += was_written ? 1 : 0; });
  CHECK(written == 0);
  wire.delivered.at(0)(true);
  CHECK(written == 3);
}

TEST_CASE("outside of their revision arrays are refused whole", "[jsonrpc][P92]") {
  RecordedLines wire;
  wire.dispatcher.receive_line(serialize(json{request_of(1), make_notification("n", nullptr)}));
  CHECK(wire.last_code() == -32600);
  CHECK(wire.lines.size() == 1);
  CHECK(wire.requests.empty());
  CHECK(wire.notifications.empty());
}

TEST_CASE("a batch with too many messages or too long ids is refused whole", "[jsonrpc][C-13]") {
  BatchingLines wire;
  wire.dispatcher.receive_line(repeated("1", max_batch_size));
  CHECK(wire.last().size() == max_batch_size);
  wire.dispatcher.receive_line(repeated("1", max_batch_size + 1));
  CHECK(wire.last_code() == -32600);

  const std::string long_id(max_id_size - 2, 'x');
  wire.dispatcher.receive_line(repeated(serialize(request_of(long_id)), 20));
  CHECK(wire.last_code() == -32600);
  CHECK(wire.requests.empty());
}

TEST_CASE("a batch that outlives its dispatcher is forgotten", "[jsonrpc]") {
  std::vector<ReplyOnce> replies;
  bool written = true;
  {
    BatchingLines wire;
    wire.batch({request_of(1), request_of(2)});
    wire.replies[0].result(1);
    replies = std::move(wire.replies);
  }
  replies[1].result(1, [&](bool was_written) { written = was_written; });
  CHECK_FALSE(written);
}
