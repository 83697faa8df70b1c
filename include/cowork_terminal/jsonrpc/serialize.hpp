#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cowork_terminal::jsonrpc {

// The compact JSON text of a value, on one line. Invalid UTF-8 becomes U+FFFD, one for each maximal ill-formed subpart;
// it never throws for it. Allocates once, with room for a newline, unless much of it has to be escaped.
std::string serialize(const nlohmann::json& value);
// A value that serialize() writes as it stands. `text` is what serialize() returned for the value that it is. (No JSON
// text is read as a binary value, which stands for it here.)
nlohmann::json already_serialized(std::string_view text);
// The size of serialize(value), without building it.
std::size_t serialized_size(const nlohmann::json& value);
// Bytes that `text` takes between the quotes of a JSON string as serialize() writes it.
std::size_t escaped_size(std::string_view text);

}  // namespace cowork_terminal::jsonrpc
