#pragma once

#include <cowork_terminal/mcp/tool_registry.hpp>

namespace cowork_terminal::loop {
class EventLoop;
}

namespace cowork_terminal::tests {

// The tools that the official conformance suite calls by name, as far as a tool server can have them.
void add_fixture_tools(mcp::ToolRegistry& registry, loop::EventLoop& loop);

}  // namespace cowork_terminal::tests
