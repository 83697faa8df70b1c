#include <cstdint>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "jsonrpc/line_splitter.hpp"

using namespace cowork_terminal::jsonrpc;

namespace {

constexpr std::size_t limit = 24;

void demand(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string> lines_of(std::string_view input, std::size_t piece_size) {
  LineSplitter splitter{limit};
  std::vector<std::string> result;
  const auto take = [&](std::deque<InputLine> lines) {
    for (InputLine& line : lines) {
      if (auto* text = std::get_if<std::string>(&line)) {
        demand(text->size() <= limit);
        result.push_back(std::move(*text));
      } else {
        const auto& oversized = std::get<OversizedLine>(line);
        demand(oversized.size > limit);
        demand(oversized.id.is_null() || oversized.id.is_string() || oversized.id.is_number_integer());
        result.push_back(std::to_string(oversized.size) + oversized.id.dump());
      }
    }
  };
  for (std::size_t i = 0; i < input.size(); i += piece_size) take(splitter.feed(input.substr(i, piece_size)));
  take(splitter.finish());
  return result;
}

}  // namespace

// However the input is cut into reads, the lines and the ids of the oversized ones are the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece_size = 1 + data[0] % 16;
  const std::string_view input{reinterpret_cast<const char*>(data) + 1, size - 1};
  demand(lines_of(input, piece_size) == lines_of(input, input.size() + 1));
  return 0;
}
