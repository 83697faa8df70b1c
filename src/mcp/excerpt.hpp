#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cowork_terminal::mcp {

// The start of a text that came from the client, for messages that quote it; whole characters of valid UTF-8.
std::string excerpt(std::string_view text);

// How many bytes at the start of `text` hold only whole characters, at most `size` of them.
std::size_t whole_characters(std::string_view text, std::size_t size);

}  // namespace cowork_terminal::mcp
