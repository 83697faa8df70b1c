#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cowork_terminal::mcp {

// RFC 4648, section 5, without padding.
std::string to_base64url(std::string_view bytes);
// Nothing unless `text` is exactly what to_base64url() writes for some bytes.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace cowork_terminal::mcp
