#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cowork_terminal::jsonrpc {

// The compact JSON text of a value, on one line. Invalid UTF-8 becomes U+FFFD, one for each maximal ill-formed subpart;
// it never throws for it. Allocates once, with room for a newline, unless much of it has to be escaped.
std::string serialize(const nlohmann::json& value);
// Becomes a string in serialize(): the JSON text of the value at `place`, a JSON pointer (RFC 6901) into the whole
// value that is serialized. So the text of a large value is never held beside it. (No JSON text is read as a binary
// value, which stands for it here.)
nlohmann::json text_of(std::string_view place);
// The size of serialize(value), without building it.
std::size_t serialized_size(const nlohmann::json& value);
// Bytes that `text` takes between the quotes of a JSON string as serialize() writes it.
std::size_t escaped_size(std::string_view text);

}  // namespace cowork_terminal::jsonrpc
