#include <array>
#include <cmath>
#include <cowork_terminal/jsonrpc/serialize.hpp>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "support/catch.hpp"

using cowork_terminal::jsonrpc::escaped_size;
using cowork_terminal::jsonrpc::serialize;
using cowork_terminal::jsonrpc::serialized_size;
using cowork_terminal::jsonrpc::text_of;
using nlohmann::json;

namespace {

class RandomValues {
 public:
  explicit RandomValues(std::uint32_t seed) : source_(seed) {}

  json value(int depth) {
    switch (below(depth > 0 ? 8U : 6U)) {
      case 0:
        return nullptr;
      case 1:
        return below(2) == 0;
      case 2:
        return integer<std::int64_t>();
      case 3:
        return integer<std::uint64_t>();
      case 4:
        return std::ldexp(static_cast<double>(integer<std::int64_t>()), static_cast<int>(below(200)) - 100);
      case 5:
        return text();
      case 6:
        return array(depth);
      default:
        return object(depth);
    }
  }

  std::string text() {
    static const std::vector<std::string> pieces{"a",
                                                 "plain text that is longer than a machine word",
                                                 "\"",
                                                 "\\",
                                                 "\n",
                                                 "\r",
                                                 "\t",
                                                 "\b",
                                                 "\f",
                                                 "/",
                                                 "\x01\x1f",
                                                 std::string(1, '\0'),
                                                 "\x7f",
                                                 "é",
                                                 "€",
                                                 "😀",
                                                 "\xED\x9F\xBF",
                                                 "\xEE\x80\x80",
                                                 "\xF4\x8F\xBF\xBF",
                                                 "\u2028",
                                                 "<>&'"};
    std::string result;
    for (unsigned count = below(12); count > 0; --count) result += pieces[below(static_cast<unsigned>(pieces.size()))];
    return result;
  }

  std::string bytes() {
    std::string result(below(40), '\0');
    for (char& c : result) c = static_cast<char>(below(3) == 0 ? below(128) : 128 + below(128));
    return result;
  }

 private:
  unsigned below(unsigned limit) { return std::uniform_int_distribution<unsigned>{0, limit - 1}(source_); }

  template <class Integer>
  Integer integer() {
    const auto bits = std::uniform_int_distribution<std::uint64_t>{}(source_) >> below(64);
    return static_cast<Integer>(bits);
  }

  json array(int depth) {
    json result = json::array();
    for (unsigned count = below(4); count > 0; --count) result.push_back(value(depth - 1));
    return result;
  }

  json object(int depth) {
    json result = json::object();
    for (unsigned count = below(4); count > 0; --count) result[text()] = value(depth - 1);
    return result;
  }

  std::mt19937 source_;
};

std::string dump_of_nlohmann(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

TEST_CASE("a serialized value is byte for byte what nlohmann/json writes", "[jsonrpc]") {
  RandomValues random{20261130};
  for (int i = 0; i < 20'000; ++i) {
    const json value = random.value(4);
    const std::string text = serialize(value);
    REQUIRE(text == dump_of_nlohmann(value));
    REQUIRE(serialized_size(value) == text.size());
  }
}

TEST_CASE("numbers at their limits are written exactly", "[jsonrpc]") {
  CHECK(serialize(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(serialize(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(serialize(0) == "0");
  CHECK(serialize(1.0) == "1.0");
  CHECK(serialize(0.1) == "0.1");
  CHECK(serialize(std::numeric_limits<double>::infinity()) == "null");
  CHECK(serialize(std::nan("")) == "null");
}

TEST_CASE("every byte sequence becomes valid UTF-8 with one U+FFFD for each maximal ill-formed subpart", "[jsonrpc]") {
  struct Sample {
    std::string bytes;
    std::string text;
  };
  const std::string mark = "\xEF\xBF\xBD";
  const std::vector<Sample> samples{
      {"\xFF", mark},
      {"\x80", mark},
      {"a\xFF\xFEok", "a" + mark + mark + "ok"},
      {"\xE2\x82", mark},
      {"\xE2\x82"
       "A",
       mark + "A"},
      {"\xF0\x9F\x98", mark},
      {"\xF0\x9F"
       "A",
       mark + "A"},
      {"\xC0\xAF", mark + mark},
      {"\xE0\x80\x80", mark + mark + mark},
      {"\xED\xA0\x80", mark + mark + mark},
      {"\xF4\x90\x80\x80", mark + mark + mark + mark},
      {"\xF5", mark},
      {"\xC3", mark},
      {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF"
       "A",
       mark + mark + mark + mark + "A"},  // Unicode, table 3-8 and its kind
      {"1234567\xFF", "1234567" + mark},
      {"12345678\xE2\x82\xAC", "12345678\xE2\x82\xAC"},
  };
  for (const Sample& sample : samples) {
    CHECK(json::parse(serialize(sample.bytes)).get<std::string>() == sample.text);
    CHECK(serialize(sample.bytes) == '"' + sample.text + '"');
  }
  RandomValues random{7};
  for (int i = 0; i < 20'000; ++i) REQUIRE(json::accept(serialize(random.bytes())));
}

TEST_CASE("an invalid key does not break the line", "[jsonrpc]") {
  CHECK(serialize(json{{"\xFF", 1}}) == "{\"\xEF\xBF\xBD\":1}");
}

TEST_CASE("the escaped size of a text is the size of its serialized form", "[jsonrpc][C-13]") {
  CHECK(escaped_size("") == 0);
  CHECK(escaped_size("abc") == 3);
  CHECK(escaped_size("\"\\\n") == 6);
  CHECK(escaped_size(std::string(1'000, '\x01')) == 6'000);
  CHECK(escaped_size("\x7f") == 1);
  CHECK(escaped_size("€") == 3);
  RandomValues random{99};
  for (int i = 0; i < 5'000; ++i) {
    const std::string text = random.text();
    REQUIRE(escaped_size(text) + 2 == serialize(text).size());
  }
}

TEST_CASE("an escape is found at every offset of a machine word", "[jsonrpc]") {
  for (std::size_t offset = 0; offset < 24; ++offset) {
    for (const char special : {'"', '\\', '\n', '\x01', '\x1f', '\0'}) {
      std::string text(24, 'x');
      text[offset] = special;
      REQUIRE(serialize(text) == dump_of_nlohmann(text));
    }
  }
}

TEST_CASE("a serialized line of ordinary text is allocated once, with room for its newline", "[jsonrpc][C-23]") {
  std::string lines;
  while (lines.size() < 1'000'000) lines += "an ordinary line of text, with \"quotes\"\n";
  const std::string line = serialize(json{{"text", lines}, {"n", 7}});
  CHECK(line.capacity() > line.size());
  CHECK(line.capacity() < line.size() + line.size() / 8 + 100);
}

TEST_CASE("a text of another value of the message is its JSON text, as a string", "[jsonrpc]") {
  const json value{
      {"text", "a\"b\n\x01 é\xFF"}, {"list", {1, nullptr, 2.5, true}}, {"much", std::string(10'000, '\\')}};
  const json message{{"first", {text_of("/second/0")}}, {"second", {value}}};
  const auto text = serialize(message);
  CHECK(json::parse(text) == json{{"first", {serialize(value)}}, {"second", {json::parse(serialize(value))}}});
  CHECK(serialized_size(message) == text.size());
}

TEST_CASE("a text of nothing, or of itself, is null", "[jsonrpc]") {
  CHECK(serialize(json{{"a", text_of("/b")}}) == R"({"a":"null"})");
  CHECK(serialize(json{{"a", {text_of("/a")}}}) == R"({"a":["[null]"]})");
  CHECK(serialize(json{{"a", text_of("/a")}}) == R"({"a":"null"})");
}

TEST_CASE("escapes at every place of a machine word and of a block are written", "[jsonrpc]") {
  for (const std::string special : {"\"", "\\", "\n", "\x01", "é", "😀", "\x7f"}) {
    for (std::size_t before = 0; before < 5'000; before += before < 20 ? 1 : before < 4'060 ? 577 : 1) {
      const std::string text = std::string(before, 'x') + special + std::string(9, 'y') + special;
      REQUIRE(json::parse(serialize(json(text))) == json(text));
    }
  }
}
