// The product's server with the conformance suite's tools in place of its own. Tests only.

#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <cowork_terminal/jsonrpc/stdio_transport.hpp>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/mcp/server.hpp>
#include <cowork_terminal/mcp/tool_registry.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

#include "support/fixture_tools.hpp"

using namespace cowork_terminal;

int main() {
  loop::EventLoop loop;
  mcp::ToolRegistry tools;
  tests::add_fixture_tools(tools, loop);

  jsonrpc::StdioTransport transport(loop, jsonrpc::take_standard_streams());
  jsonrpc::Dispatcher dispatcher(
      [&](std::string line, jsonrpc::Delivered delivered) { transport.send(std::move(line), std::move(delivered)); });
  mcp::Server server(loop, dispatcher, tools,
                     {"fixture-server", "Fixture server", "1.0.0", "Tools of the conformance suite."},
                     [](std::string_view line) { std::cerr << line << std::endl; });

  const auto leave_when_idle = [&] {
    if (dispatcher.in_flight() == 0) transport.when_flushed([&] { loop.stop(); });
  };
  const jsonrpc::TransportLimits limits;
  transport.start({
      [&](std::string line) { dispatcher.receive_line(line); },
      [&](const nlohmann::json& id, std::size_t size) { dispatcher.receive_oversized_line(id, size, limits.line); },
      [&] {
        server.close();
        dispatcher.on_idle(leave_when_idle);
        leave_when_idle();
      },
      [&] { loop.stop(); },
      [](bool) {},
  });
  loop.run();
  // The reader may be blocked in read() for good.
  std::_Exit(0);
}
