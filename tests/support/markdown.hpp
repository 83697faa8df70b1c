#pragma once

#include <string>
#include <vector>

namespace cowork_terminal::testing {

std::vector<std::string> lines_of(const std::string& text);
// The contents of the fenced blocks of this language.
std::vector<std::string> fenced_blocks(const std::string& text, const std::string& language);
// The rows of every table whose first heading is this one, cell by cell.
std::vector<std::vector<std::string>> table(const std::string& text, const std::string& first_heading);
// What stands between backquotes.
std::vector<std::string> code_in(const std::string& text);

}  // namespace cowork_terminal::testing
