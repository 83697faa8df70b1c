#include <memory>
#include <optional>
#include <utility>

#include "support/catch.hpp"
#include "unit/jsonrpc/recorded_lines.hpp"

using namespace cowork_terminal::jsonrpc;
using nlohmann::json;

TEST_CASE("the first answer wins", "[jsonrpc]") {
  RecordedLines wire;
  wire.request(1);
  wire.replies[0].result({{"a", 1}});
  wire.replies[0].result({{"a", 2}});
  wire.replies[0].error({ErrorCode::internal_error, "late"});
  wire.replies.clear();
  CHECK(wire.lines == std::vector<json>{{{"jsonrpc", "2.0"}, {"id", 1}, {"result", {{"a", 1}}}}});
}

TEST_CASE("a request dropped without an answer gets an internal error", "[jsonrpc][C-30]") {
  RecordedLines wire;
  wire.request("x");
  wire.replies.clear();
  CHECK(wire.last_code() == -32603);
  CHECK(wire.last()["id"] == "x");
  CHECK(wire.dispatcher.in_flight() == 0);
}

TEST_CASE("overwriting a reply answers the request it held", "[jsonrpc]") {
  RecordedLines wire;
  wire.request(1);
  wire.request(2);
  wire.replies[0] = std::move(wire.replies[1]);
  CHECK(wire.last()["id"] == 1);
  CHECK(wire.last_code() == -32603);
  CHECK_FALSE(wire.replies[1].pending());
  wire.replies[0].result(nullptr);
  CHECK(wire.last()["id"] == 2);
}

TEST_CASE("a request that is ended by drop() gets no answer", "[jsonrpc]") {
  RecordedLines wire;
  wire.request(1);
  wire.replies[0].drop();
  CHECK_FALSE(wire.replies[0].pending());
  wire.replies.clear();
  CHECK(wire.lines.empty());
  CHECK(wire.dispatcher.in_flight() == 0);
}

TEST_CASE("the sender hears whether its answer was written, and at once when none is sent", "[jsonrpc]") {
  RecordedLines wire;
  std::optional<bool> written;
  wire.request(1);
  wire.replies[0].result(1, [&](bool was_written) { written = was_written; });
  CHECK_FALSE(written.has_value());
  wire.delivered.at(0)(true);
  CHECK(written == true);

  wire.request(2);
  wire.dispatcher.cancel(2);
  wire.replies[1].result(1, [&](bool was_written) { written = was_written; });
  CHECK(written == false);
  CHECK(wire.lines.size() == 1);
}

TEST_CASE("a cancelled request tells its hook once and is never answered", "[jsonrpc][C-21][P40]") {
  RecordedLines wire;
  int cancellations = 0;
  wire.request(2);
  wire.replies[0].on_cancel([&] { ++cancellations; });
  CHECK(wire.replies[0].pending());
  CHECK(wire.dispatcher.cancel(2));
  CHECK(cancellations == 1);
  CHECK_FALSE(wire.replies[0].pending());
  CHECK_FALSE(wire.dispatcher.cancel(2));
  CHECK(cancellations == 1);
  wire.replies.clear();
  CHECK(wire.lines.empty());
}

TEST_CASE("an answered request is not told of a cancellation", "[jsonrpc][P41]") {
  RecordedLines wire;
  bool cancelled = false;
  wire.request(2);
  wire.replies[0].on_cancel([&] { cancelled = true; });
  wire.replies[0].result(1);
  CHECK_FALSE(wire.dispatcher.cancel(2));
  CHECK_FALSE(cancelled);
}

TEST_CASE("a hook may let go of the reply", "[jsonrpc][C-21]") {
  RecordedLines wire;
  wire.request(2);
  wire.replies[0].on_cancel([&] { wire.replies.clear(); });
  CHECK(wire.dispatcher.cancel(2));
  CHECK(wire.replies.empty());
  CHECK(wire.lines.empty());
}

TEST_CASE("a reply outlives its dispatcher", "[jsonrpc]") {
  auto wire = std::make_unique<RecordedLines>();
  wire->request(2);
  ReplyOnce reply = std::move(wire->replies[0]);
  wire.reset();
  bool written = true;
  reply.result(1, [&](bool was_written) { written = was_written; });
  CHECK_FALSE(written);
  CHECK(reply.id() == 2);
}

TEST_CASE("a reply outside of a batch has its line for itself", "[jsonrpc][C-13]") {
  RecordedLines wire;
  wire.request(2);
  CHECK(wire.replies[0].line_sharers() == 1);
  CHECK_FALSE(wire.replies[0].in_batch());
}
