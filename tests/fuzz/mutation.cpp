#include "mutation.hpp"

#include <array>

namespace cowork_terminal::fuzz {

std::string Mutation::next() {
  std::string line = seeds_[below(seeds_.size())];
  for (std::size_t accidents = below(4); accidents > 0; --accidents) spoil(line);
  return line;
}

std::size_t Mutation::below(std::size_t limit) {
  return std::uniform_int_distribution<std::size_t>{0, limit - 1}(random_);
}

void Mutation::spoil(std::string& line) {
  static constexpr std::array<const char*, 16> tokens{"{",     "}",    "[",     "]",          "\"", "\\",
                                                      "null",  "true", "1e400", "-0",         "\n", "\xEF\xBB\xBF",
                                                      "\\ud8", "\xFF", "\r",    "\"id\":null"};
  const std::size_t place = below(line.size() + 1);
  const std::size_t length = below(1 + line.size() - place);
  switch (below(7)) {
    case 0:
      line.insert(place, tokens[below(tokens.size())]);
      return;
    case 1:
      line.erase(place, 1 + below(8));
      return;
    case 2:
      line.insert(place, line.substr(place, length));
      return;
    case 3:
      line.resize(place);
      return;
    case 4:
      line.insert(place, seeds_[below(seeds_.size())]);
      return;
    case 5:
      line.insert(place, 1 + below(200), '[');
      return;
    default:
      if (place < line.size()) line[place] = static_cast<char>(below(256));
  }
}

}  // namespace cowork_terminal::fuzz
