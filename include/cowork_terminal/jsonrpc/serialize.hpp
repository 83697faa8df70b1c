#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cowork_terminal::jsonrpc {

// The compact JSON text of a value, on one line. Invalid UTF-8 becomes U+FFFD, one for each maximal ill-formed subpart;
// it never throws for it. Allocates once, with room for a newline, unless much of it has to be escaped.
std::string serialize(const nlohmann::json& value);
// The size of serialize(value), without building it.
std::size_t serialized_size(const nlohmann::json& value);
// Bytes that `text` takes between the quotes of a JSON string as serialize() writes it.
std::size_t escaped_size(std::string_view text);

}  // namespace cowork_terminal::jsonrpc
