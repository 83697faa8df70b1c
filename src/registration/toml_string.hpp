#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cowork_terminal::registration {

struct TomlString {
  std::string text;
  std::size_t end;  // behind the closing quote
};

// The string that begins with the quote at `begin`, in any of TOML's four forms. Throws DocumentError.
TomlString read_toml_string(std::string_view text, std::size_t begin);

bool is_bare_key_character(char c);

}  // namespace cowork_terminal::registration
