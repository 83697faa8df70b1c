#include "support/markdown.hpp"

#include <optional>
#include <sstream>
#include <utility>

namespace cowork_terminal::testing {

namespace {

std::string without_blanks_around(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// A | in a cell is written \|.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += line[++i];
    } else if (line[i] == '|') {
      cells.push_back(without_blanks_around(std::exchange(cell, {})));
    } else {
      cell += line[i];
    }
  }
  return cells;
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> fenced_blocks(const std::string& text, const std::string& language) {
  std::vector<std::string> blocks;
  std::optional<std::string> block;
  for (const auto& line : lines_of(text)) {
    if (block && line == "```") {
      blocks.push_back(*std::exchange(block, std::nullopt));
    } else if (block) {
      *block += line + "\n";
    } else if (line == "```" + language) {
      block.emplace();
    }
  }
  return blocks;
}

std::vector<std::vector<std::string>> table(const std::string& text, const std::string& first_heading) {
  std::vector<std::vector<std::string>> rows;
  bool in_table = false;
  for (const auto& line : lines_of(text)) {
    if (line.starts_with("| " + first_heading + " |")) {
      in_table = true;
    } else if (!line.starts_with("|")) {
      in_table = false;
    } else if (in_table && !line.starts_with("|-")) {
      rows.push_back(cells_of(line));
    }
  }
  return rows;
}

std::vector<std::string> code_in(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  std::string word;
  for (bool is_code = false; std::getline(stream, word, '`'); is_code = !is_code) {
    if (is_code) words.push_back(word);
  }
  return words;
}

}  // namespace cowork_terminal::testing
