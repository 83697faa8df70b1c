#include <cowork_terminal/mcp/tool_registry.hpp>
#include <utility>

namespace cowork_terminal::mcp {

void ToolRegistry::add(std::unique_ptr<Tool> tool) { tools_.push_back(std::move(tool)); }

Tool* ToolRegistry::find(std::string_view name) const {
  for (const auto& tool : tools_)
    if (tool->definition().name == name) return tool.get();
  return nullptr;
}

}  // namespace cowork_terminal::mcp
