#pragma once

#include <string>
#include <string_view>

namespace cowork_terminal::registration {

// The change from `before` to `after` as a unified diff with three lines of context; empty if they are the same.
std::string unified_diff(std::string_view before, std::string_view after, const std::string& old_name,
                         const std::string& new_name);

}  // namespace cowork_terminal::registration
