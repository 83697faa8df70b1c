#pragma once

#include <cowork_terminal/mcp/tool.hpp>
#include <memory>
#include <string_view>
#include <vector>

namespace cowork_terminal::mcp {

// The tools of this process, in the order of their adding; fixed before the server starts.
class ToolRegistry {
 public:
  void add(std::unique_ptr<Tool> tool);
  [[nodiscard]] Tool* find(std::string_view name) const;
  [[nodiscard]] const std::vector<std::unique_ptr<Tool>>& tools() const { return tools_; }

 private:
  std::vector<std::unique_ptr<Tool>> tools_;
};

}  // namespace cowork_terminal::mcp
