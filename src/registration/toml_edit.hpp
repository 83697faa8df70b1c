#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registration/toml_parser.hpp"

namespace cowork_terminal::registration {

using TomlAssignment = std::pair<std::string, std::string>;  // a key of one part, and its value as written in TOML

// Both change the table `[path]` in a TOML text and leave every other byte as it is, except that a byte order mark is
// taken off. Both throw DocumentError when the text cannot be read, or when the table is written in another form than
// under a header of its own (an inline table, dotted keys, twice), which we leave to its author.

// Sets these keys in the table, which is added at the end of the text if it is not there. Its other keys stay.
std::string set_in_table(std::string_view text, const TomlKey& path, const std::vector<TomlAssignment>& assignments);

// Takes the table and its sub-tables out.
std::string remove_table(std::string_view text, const TomlKey& path);

// A table that has a header of its own, as it is in the text.
struct TomlTable {
  const TomlStatement* header;
  std::vector<const TomlStatement*> assignments;
};

// The tables of a text in their order; they point into `statements`.
std::vector<TomlTable> tables_of(const std::vector<TomlStatement>& statements);

}  // namespace cowork_terminal::registration
