#include <cowork_terminal/process/output_capture.hpp>
#include <random>
#include <string>

#include "support/catch.hpp"

using cowork_terminal::process::CapturedOutput;
using cowork_terminal::process::OutputCapture;

namespace {

constexpr std::size_t plenty = 1'048'576;
const std::string euro = "\xE2\x82\xAC";
const std::string replacement = "\xEF\xBF\xBD";

CapturedOutput captured(std::string_view bytes, std::size_t limit = plenty) {
  OutputCapture capture(limit);
  capture.append(bytes);
  return capture.finish();
}

std::string repaired(std::string_view bytes) { return captured(bytes).text; }

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

// Written a second time, by the definition: Unicode 15, table 3-7, byte by byte, without any fast path.
std::string reference_repair(std::string_view bytes) {
  struct Row {
    unsigned first_low, first_high, second_low, second_high;
    std::size_t size;
  };
  constexpr Row rows[] = {{0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
                          {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
                          {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    if (first < 0x80) {
      text += bytes[i++];
      continue;
    }
    const Row* row = nullptr;
    for (const Row& candidate : rows) {
      if (first >= candidate.first_low && first <= candidate.first_high) row = &candidate;
    }
    std::size_t good = 1;
    if (row != nullptr) {
      while (good < row->size && i + good < bytes.size()) {
        const auto next = static_cast<unsigned char>(bytes[i + good]);
        const unsigned low = good == 1 ? row->second_low : 0x80;
        const unsigned high = good == 1 ? row->second_high : 0xBF;
        if (next < low || next > high) break;
        ++good;
      }
    }
    if (row != nullptr && good == row->size) {
      text += bytes.substr(i, good);
    } else {
      text += replacement;
    }
    i += good;
  }
  return text;
}

}  // namespace

TEST_CASE("well-formed text is kept as it is, NUL, control characters and CRLF included", "[process][C-12][K21][K25]") {
  constexpr char literal[] =
      "a\0b\x1b[31m\r\n\t\x7f "
      "\xC2\x80 \xE0\xA0\x80 \xED\x9F\xBF \xEF\xBF\xBF \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF";
  const std::string text(literal, sizeof literal - 1);
  CHECK(repaired(text) == text);
}

TEST_CASE("each maximal ill-formed subpart becomes one U+FFFD", "[process][C-12][K19]") {
  CHECK(repaired("\xFF\xFEok\n") == replacement + replacement + "ok\n");
  // The examples of the Unicode standard, tables 3-8 to 3-11.
  CHECK(repaired("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41") == repeated(replacement, 8) + "A");
  CHECK(repaired("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41") == repeated(replacement, 8) + "A");
  CHECK(repaired("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42") ==
        repeated(replacement, 5) + "A" + repeated(replacement, 2) + "B");
  CHECK(repaired("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41") == repeated(replacement, 4) + "A");
}

TEST_CASE("an unfinished character at the end of the stream becomes one U+FFFD", "[process][C-12]") {
  CHECK(repaired("a\xE2\x82") == "a" + replacement);
  CHECK(repaired("\xF0\x9F\x98") == replacement);
  CHECK(repaired("") == "");
}

TEST_CASE("a character split between reads is kept whole", "[process][C-12][K18]") {
  const std::string text = repeated(euro, 200'000);
  for (const std::size_t piece : {1U, 2U, 4U, 7U, 4'096U, 65'536U}) {
    OutputCapture capture(plenty);
    for (std::size_t i = 0; i < text.size(); i += piece) capture.append(std::string_view(text).substr(i, piece));
    CHECK(capture.finish().text == text);
  }
}

TEST_CASE("repair does not depend on where the reads end, and agrees with the definition", "[process][C-12]") {
  std::mt19937 random(20'260);
  const std::string alphabet("a\x7f\x80\xBF\xC0\xC2\xDF\xE0\xA0\xED\x9F\xEF\xF0\x90\xF4\x8F\xF5\xFF");
  std::uniform_int_distribution<std::size_t> letter(0, alphabet.size() - 1);
  std::uniform_int_distribution<std::size_t> piece(0, 5);
  for (int round = 0; round < 3'000; ++round) {
    std::string bytes;
    for (int i = 0; i < 40; ++i) bytes += alphabet[letter(random)];
    OutputCapture capture(plenty);
    for (std::size_t i = 0; i < bytes.size();) {
      const std::size_t size = piece(random);
      capture.append(std::string_view(bytes).substr(i, size));
      i += size;
    }
    REQUIRE(capture.finish().text == reference_repair(bytes));
  }
}

TEST_CASE("the limit counts to the byte", "[process][C-11]") {
  const CapturedOutput exact = captured(std::string(plenty, 'a'));
  CHECK(exact.text.size() == plenty);
  CHECK_FALSE(exact.truncated);

  const CapturedOutput more = captured(std::string(plenty + 1, 'a'));
  CHECK(more.text.size() == plenty);
  CHECK(more.truncated);
  CHECK(more.total_bytes == plenty + 1);
}

TEST_CASE("a character that does not fit whole is left out", "[process][C-12][K13]") {
  const CapturedOutput output = captured(std::string(plenty - 1, 'a') + euro + euro);
  CHECK(output.text == std::string(plenty - 1, 'a'));
  CHECK(output.truncated);
}

TEST_CASE("once something was left out nothing that would fit is kept any more", "[process][C-12]") {
  OutputCapture capture(4);
  capture.append("abc" + euro);
  capture.append("d");
  const CapturedOutput output = capture.finish();
  CHECK(output.text == "abc");
  CHECK(output.truncated);
  CHECK(output.total_bytes == 7);
}

TEST_CASE("the limit counts repaired text", "[process][C-12]") {
  const CapturedOutput output = captured(std::string(10, '\xFF'), 8);
  CHECK(output.text == replacement + replacement);
  CHECK(output.truncated);
  CHECK_FALSE(captured(std::string(10, '\xFF'), 30).truncated);
}

TEST_CASE("an unfinished character that cannot fit as U+FFFD counts as left out", "[process][C-12]") {
  OutputCapture capture(3);
  capture.append("abc\xE2");
  const CapturedOutput output = capture.finish();
  CHECK(output.text == "abc");
  CHECK(output.truncated);
}

TEST_CASE("memory for the text never passes the limit", "[process][C-23]") {
  constexpr std::size_t limit = 1'000'003;
  OutputCapture capture(limit);
  const std::string piece(7'001, 'x');
  for (int i = 0; i < 300; ++i) capture.append(piece);
  const CapturedOutput output = capture.finish();
  CHECK(output.text.size() == limit);
  CHECK(output.text.capacity() <= limit + 64);
  CHECK(output.total_bytes == 300 * 7'001);
}

TEST_CASE("little output takes little memory", "[process][C-23]") {
  OutputCapture capture(plenty);
  capture.append(std::string(1'000, 'x'));
  CHECK(capture.take().text.capacity() < 4'096);
}

TEST_CASE("taking holds back an unfinished character and gives the full limit again", "[process]") {
  OutputCapture capture(4);
  capture.append("a\xE2\x82");
  CHECK(capture.take().text == "a");
  capture.append(
      "\xAC"
      "b");
  const CapturedOutput rest = capture.finish();
  CHECK(rest.text == euro + "b");
  CHECK(rest.total_bytes == 2);
  CHECK(capture.total_bytes() == 5);
}

TEST_CASE("after a cut, taking goes on at the next whole character", "[process]") {
  OutputCapture capture(4);
  capture.append("abcdef\xE2");
  const CapturedOutput first = capture.take();
  CHECK(first.text == "abcd");
  CHECK(first.truncated);
  capture.append("\x82");
  capture.append(
      "\xAC"
      "x");
  const CapturedOutput second = capture.finish();
  CHECK(second.text == "x");
  CHECK_FALSE(second.truncated);
}
