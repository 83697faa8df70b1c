#include <cowork_terminal/process/output_capture.hpp>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using cowork_terminal::process::CapturedOutput;
using cowork_terminal::process::OutputCapture;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

std::uint32_t byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

// Unicode 15, chapter 3.9 by its words: a sequence of UTF-8 may still become well-formed if some scalar value has an
// encoding, of the size that its first byte announces, that begins with it.
bool begins_character(std::string_view bytes) {
  const std::uint32_t first = byte_at(bytes, 0);
  if (first < 0x80) return bytes.size() == 1;
  const unsigned size = first >= 0xF8 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
  if (bytes.size() > size) return false;
  std::uint32_t lowest = first & (0x7FU >> size);
  std::uint32_t highest = lowest;
  for (std::size_t i = 1; i < size; ++i) {
    if (i < bytes.size() && (byte_at(bytes, i) & 0xC0U) != 0x80U) return false;
    const bool is_there = i < bytes.size();
    lowest = lowest << 6U | (is_there ? byte_at(bytes, i) & 0x3FU : 0U);
    highest = highest << 6U | (is_there ? byte_at(bytes, i) & 0x3FU : 0x3FU);
  }
  const std::uint32_t smallest_of_size = size == 2 ? 0x80U : size == 3 ? 0x800U : 0x10000U;
  const bool all_surrogates = lowest >= 0xD800U && highest <= 0xDFFFU;
  return highest >= smallest_of_size && lowest <= 0x10FFFFU && !all_surrogates;
}

bool is_character(std::string_view bytes) {
  const std::uint32_t first = byte_at(bytes, 0);
  const std::size_t size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  return bytes.size() == size && begins_character(bytes);
}

// The whole characters of the repaired text, one by one.
std::vector<std::string> repaired(std::string_view bytes) {
  std::vector<std::string> characters;
  while (!bytes.empty()) {
    std::size_t size = 1;
    while (size < bytes.size() && begins_character(bytes.substr(0, size + 1))) ++size;
    const std::string_view subpart = bytes.substr(0, size);
    characters.emplace_back(is_character(subpart) ? subpart : "\xEF\xBF\xBD");
    bytes.remove_prefix(size);
  }
  return characters;
}

std::string joined(const std::vector<std::string>& characters) {
  std::string text;
  for (const std::string& character : characters) text += character;
  return text;
}

struct Input {
  std::string_view bytes;
  std::size_t limit;
  std::size_t pieces[2];  // sizes of the reads, by turns
  std::size_t reads_between_takes;
};

template <typename AfterRead>
void read_in_pieces(OutputCapture& capture, const Input& input, const AfterRead& after_read) {
  std::size_t reads = 0;
  for (std::size_t at = 0; at < input.bytes.size(); ++reads) {
    const std::string_view piece = input.bytes.substr(at, input.pieces[reads % 2]);
    capture.append(piece);
    at += piece.size();
    demand(capture.total_bytes() == at);
    after_read(reads);
  }
}

// However the bytes are cut into reads: the longest prefix of whole characters of the repaired text that fits.
void demand_head(const Input& input) {
  OutputCapture capture(input.limit);
  read_in_pieces(capture, input, [](std::size_t) {});
  const CapturedOutput output = capture.finish();
  std::string expected;
  bool truncated = false;
  for (const std::string& character : repaired(input.bytes)) {
    truncated = truncated || expected.size() + character.size() > input.limit;
    if (!truncated) expected += character;
  }
  demand(output.text == expected);
  demand(output.truncated == truncated);
  demand(output.total_bytes == input.bytes.size());
}

// What is taken bit by bit is valid each time, within the limit, and the whole if nothing was cut.
void demand_pieces(const Input& input) {
  OutputCapture capture(input.limit);
  std::string all;
  std::uint64_t total = 0;
  bool truncated = false;
  const auto receive = [&](const CapturedOutput& output) {
    demand(output.text.size() <= input.limit);
    demand(joined(repaired(output.text)) == output.text);
    all += output.text;
    total += output.total_bytes;
    truncated = truncated || output.truncated;
  };
  read_in_pieces(capture, input, [&](std::size_t reads) {
    if (reads % input.reads_between_takes == 0) receive(capture.take());
  });
  receive(capture.finish());
  demand(total == input.bytes.size());
  const std::string whole = joined(repaired(input.bytes));
  demand(truncated ? all.size() < whole.size() : all == whole);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const Input input{{reinterpret_cast<const char*>(data) + 4, size - 4},
                    data[0] < 200 ? std::size_t{1} + data[0] : std::size_t{1'048'576},
                    {std::size_t{1} + data[1] % 40U, std::size_t{1} + data[2] % 40U},
                    std::size_t{1} + data[3] % 8U};
  demand_head(input);
  demand_pieces(input);
  return 0;
}
