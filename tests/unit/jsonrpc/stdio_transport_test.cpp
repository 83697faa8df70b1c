#include <chrono>
#include <cowork_terminal/jsonrpc/stdio_transport.hpp>
#include <cowork_terminal/loop/event_loop.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "unit/jsonrpc/scripted_streams.hpp"
#include "unit/loop/run_until.hpp"

using namespace std::chrono_literals;
using namespace cowork_terminal::jsonrpc;
using cowork_terminal::run_until;
using cowork_terminal::loop::EventLoop;
using cowork_terminal::loop::Timer;
using nlohmann::json;

namespace {

// A transport whose events are recorded, and its client. The input ends with it, so that the reader thread does too.
struct Connection {
  std::shared_ptr<Client> client = std::make_shared<Client>();
  EventLoop loop;
  std::vector<std::string> lines;
  std::vector<std::pair<json, std::size_t>> oversized;
  std::vector<bool> backlog;
  bool input_ended = false;
  int output_closed = 0;
  StdioTransport transport;

  explicit Connection(TransportLimits limits = {})
      : transport(loop, std::make_unique<ScriptedStreams>(client), limits) {}
  ~Connection() {
    client->end_input();
    client->close_output_and_tell();
  }

  void start() {
    TransportEvents events;
    events.on_line = [this](std::string line) { lines.push_back(std::move(line)); };
    events.on_oversized_line = [this](json id, std::size_t size) { oversized.emplace_back(std::move(id), size); };
    events.on_end_of_input = [this] { input_ended = true; };
    events.on_output_closed = [this] { ++output_closed; };
    events.on_backlog = [this](bool full) { backlog.push_back(full); };
    transport.start(std::move(events));
  }
};

}  // namespace

TEST_CASE("lines arrive in order, the partial one before the end of the input", "[jsonrpc][C-28]") {
  Connection connection;
  connection.client->type(
      "\xEF\xBB\xBF"
      "a\r\n\nb\nc");
  connection.client->end_input();
  connection.start();
  CHECK(run_until(connection.loop, [&] { return connection.input_ended; }));
  CHECK(connection.lines == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("an oversized line is told in its place and the next line is whole", "[jsonrpc][C-28]") {
  TransportLimits limits;
  limits.line = 1'000;
  Connection connection{limits};
  connection.client->type("first\n{\"x\":\"" + std::string(200'000, 'y') + "\",\"id\":\"z\"}\nlast\n");
  connection.start();
  CHECK(run_until(connection.loop, [&] { return connection.lines.size() == 2; }));
  CHECK(connection.oversized == std::vector<std::pair<json, std::size_t>>{{"z", 200'017}});
  CHECK(connection.lines == std::vector<std::string>{"first", "last"});
}

TEST_CASE("sent lines are written in order, each with a newline, and their senders told", "[jsonrpc]") {
  Connection connection;
  std::vector<bool> written;
  connection.transport.send("a");
  connection.start();
  connection.transport.send("b", [&](bool was_written) { written.push_back(was_written); });
  connection.transport.send("c", [&](bool was_written) { written.push_back(was_written); });
  CHECK(run_until(connection.loop, [&] { return written.size() == 2; }));
  CHECK(connection.client->output() == "a\nb\nc\n");
  CHECK(written == std::vector<bool>{true, true});
}

TEST_CASE("a line of which a part is written at once arrives whole, after those before it", "[jsonrpc]") {
  Connection connection;
  connection.client->take_at_once(4);
  connection.start();
  std::vector<bool> delivered;
  const auto note = [&](bool written) { delivered.push_back(written); };
  for (const char* line : {"abc", "defghi", "jklmno"}) connection.transport.send(line, note);
  CHECK(run_until(connection.loop, [&] { return delivered.size() == 3; }));
  CHECK(connection.client->output() == "abc\ndefghi\njklmno\n");
  CHECK(delivered == std::vector<bool>{true, true, true});
}

TEST_CASE("flushed is told when everything is written, at once when nothing waits", "[jsonrpc][C-26]") {
  Connection connection;
  connection.start();
  std::string output_when_flushed = "never";
  bool flushed_at_once = false;
  connection.transport.when_flushed([&] { flushed_at_once = true; });
  CHECK_FALSE(flushed_at_once);
  CHECK(run_until(connection.loop, [&] { return flushed_at_once; }));

  connection.client->stop_reading();
  connection.transport.send("a");
  connection.transport.send("b");
  connection.transport.when_flushed([&] { output_when_flushed = connection.client->output(); });
  connection.client->go_on_reading();
  CHECK(run_until(connection.loop, [&] { return output_when_flushed != "never"; }));
  CHECK(output_when_flushed == "a\nb\n");
}

TEST_CASE("a client that never reads delays neither timers nor lines", "[jsonrpc][C-27]") {
  Connection connection;
  connection.client->stop_reading();
  connection.start();
  for (int i = 0; i < 100; ++i) connection.transport.send(std::string(100'000, 'x'));
  connection.client->type("still heard\n");
  bool fired = false;
  const Timer timer = connection.loop.after(50ms, [&] { fired = true; });
  CHECK(run_until(
      connection.loop, [&] { return fired && connection.lines.size() == 1; }, 5s));
  CHECK(connection.client->output().empty());
}

TEST_CASE("a full backlog is told once, and its end when half of it is written", "[jsonrpc][C-27]") {
  TransportLimits limits;
  limits.backlog = 1'000;
  Connection connection{limits};
  connection.client->stop_reading();
  connection.start();
  connection.transport.send(std::string(900, 'x'));
  connection.transport.send(std::string(98, 'x'));
  bool looked = false;
  connection.loop.post([&] { looked = true; });
  CHECK(run_until(connection.loop, [&] { return looked; }));
  CHECK(connection.backlog.empty());

  connection.transport.send("x");
  connection.transport.send("x");
  CHECK(run_until(connection.loop, [&] { return !connection.backlog.empty(); }));
  CHECK(connection.backlog == std::vector<bool>{true});
  connection.client->go_on_reading();
  CHECK(run_until(connection.loop, [&] { return connection.backlog.size() == 2; }));
  CHECK(connection.backlog == std::vector<bool>{true, false});
}

TEST_CASE("a client that asks without reading the answers is not listened to for ever", "[jsonrpc][C-27]") {
  TransportLimits limits;
  limits.waiting_lines = 10;
  Connection connection{limits};
  connection.client->stop_reading();
  TransportEvents events;
  events.on_line = [&](std::string line) {
    connection.lines.push_back(line);
    connection.transport.send(std::move(line));
  };
  events.on_end_of_input = [&] { connection.input_ended = true; };
  connection.transport.start(std::move(events));
  for (int i = 0; i < 100; ++i) connection.client->type("question\n");
  CHECK(run_until(connection.loop, [&] { return connection.client->input_left() == 0; }));
  bool looked = false;
  const Timer timer = connection.loop.after(50ms, [&] { looked = true; });
  CHECK(run_until(connection.loop, [&] { return looked; }));
  CHECK(connection.lines.size() == 11);

  SECTION("until it reads") {
    connection.client->go_on_reading();
    CHECK(run_until(connection.loop, [&] { return connection.lines.size() == 100; }));
    CHECK_FALSE(connection.input_ended);
  }
  SECTION("until its input ends") {
    connection.client->end_input();
    CHECK(run_until(connection.loop, [&] { return connection.input_ended; }));
    CHECK(connection.lines.size() == 100);
  }
  SECTION("until its output is closed") {
    connection.client->close_output();
    CHECK(run_until(connection.loop, [&] { return connection.lines.size() == 100; }));
  }
}

TEST_CASE("the reader waits while too much input is unhandled", "[jsonrpc][C-27]") {
  TransportLimits limits;
  limits.unhandled_input = 200'000;
  Connection connection{limits};
  constexpr std::size_t typed = 2'000'000;
  connection.client->type(std::string(typed - 1, 'x') + '\n');
  for (int i = 0; i < 200; ++i) connection.client->type(std::string(10'000 - 1, 'y') + '\n');
  connection.start();
  // The loop is not running yet. The long line alone is over the limit: what comes behind it waits.
  const auto enough = std::chrono::steady_clock::now() + 20s;
  while (connection.client->input_left() > typed && std::chrono::steady_clock::now() < enough) {
    std::this_thread::sleep_for(1ms);
  }
  std::this_thread::sleep_for(50ms);
  CHECK(connection.client->input_left() > typed - 200'000);
  CHECK(run_until(connection.loop, [&] { return connection.lines.size() == 201; }));
  CHECK(connection.lines.front().size() == typed - 1);
}

TEST_CASE("the end of the reader is told at once while nothing is written", "[jsonrpc][C-26]") {
  Connection connection;
  connection.start();
  connection.client->close_output_and_tell();
  CHECK(run_until(connection.loop, [&] { return connection.output_closed > 0; }));
  bool flushed = false;
  std::optional<bool> written;
  connection.transport.send("late", [&](bool was_written) { written = was_written; });
  connection.transport.when_flushed([&] { flushed = true; });
  CHECK_FALSE(written.has_value());
  CHECK(run_until(connection.loop, [&] { return flushed && written.has_value(); }));
  CHECK(written == false);
  CHECK(connection.output_closed == 1);
}

TEST_CASE("a failed write fails everything that waits", "[jsonrpc][C-26]") {
  TransportLimits limits;
  limits.backlog = 10;
  Connection connection{limits};
  connection.client->stop_reading();
  connection.start();
  std::vector<bool> written;
  bool flushed = false;
  for (int i = 0; i < 3; ++i) {
    connection.transport.send("a line", [&](bool was_written) { written.push_back(was_written); });
  }
  connection.transport.when_flushed([&] { flushed = true; });
  connection.client->close_output();
  CHECK(run_until(connection.loop, [&] { return flushed; }));
  CHECK(written == std::vector<bool>{false, false, false});
  CHECK(connection.output_closed == 1);
  CHECK(connection.backlog == std::vector<bool>{true, false});
}

TEST_CASE("nothing is told after the transport is gone, though its threads go on", "[jsonrpc]") {
  EventLoop loop;
  const auto client = std::make_shared<Client>();
  const auto held = std::make_shared<int>(1);
  client->stop_reading();
  int told = 0;
  {
    StdioTransport transport{loop, std::make_unique<ScriptedStreams>(client)};
    TransportEvents events;
    events.on_line = [&, held](std::string) { ++told; };
    events.on_end_of_input = [&] { ++told; };
    events.on_output_closed = [&] { ++told; };
    transport.start(std::move(events));
    transport.send("blocks", [&, held](bool) { ++told; });
    transport.send("waits", [&, held](bool) { ++told; });
    transport.when_flushed([&, held] { ++told; });
    client->type("never heard\n");
  }
  client->end_input();
  client->close_output_and_tell();
  bool looked = false;
  const Timer timer = loop.after(20ms, [&] { looked = true; });
  CHECK(run_until(loop, [&] { return looked; }));
  CHECK(told == 0);
  CHECK(held.use_count() == 1);
}
