#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "registration/document_error.hpp"

namespace cowork_terminal::registration {

// Both change one member of the object tree in a JSON text with comments and leave every other byte as it is, except
// that a byte order mark is taken off. `path` names the member from the root and is not empty; of a repeated key the
// last one counts. Both throw DocumentError when the text cannot be read or something on the path is not an object.

// Adds the member, with the objects that lead to it, or gives it another value. The result of setting what is there
// already (compared as JSON) is `text`. `value` holds valid UTF-8 only.
std::string set_member(std::string_view text, const std::vector<std::string>& path,
                       const nlohmann::ordered_json& value);

// Takes the member out, every one of that key. Its parent stays, though it be empty then.
std::string remove_member(std::string_view text, const std::vector<std::string>& path);

}  // namespace cowork_terminal::registration
