#include "mcp/excerpt.hpp"

namespace cowork_terminal::mcp {

std::size_t whole_characters(std::string_view text, std::size_t size) {
  if (size >= text.size()) return text.size();
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return size;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t limit = 200;
  if (text.size() <= limit) return std::string(text);
  return std::string(text.substr(0, whole_characters(text, limit))) + "…";
}

}  // namespace cowork_terminal::mcp
