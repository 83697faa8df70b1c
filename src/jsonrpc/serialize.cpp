#include <array>
#include <charconv>
#include <cowork_terminal/jsonrpc/serialize.hpp>
#include <nlohmann/json.hpp>

#include "jsonrpc/escaped_block.hpp"

namespace cowork_terminal::jsonrpc {
namespace {

using nlohmann::json;

class SizeCounter {
 public:
  void append(std::string_view bytes) { size_ += bytes.size(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

class TextWriter {
 public:
  explicit TextWriter(std::string& text) : text_(text) {}
  void append(std::string_view bytes) { text_.append(bytes); }

 private:
  std::string& text_;
};

template <class Output>
void append_escaped(Output& output, std::string_view text) {
  EscapedBlock block;
  while (!text.empty()) {
    text = block.fill(text);
    output.append(block.bytes());
  }
}

template <class Output>
void append_string(Output& output, std::string_view text) {
  output.append("\"");
  append_escaped(output, text);
  output.append("\"");
}

template <class Output, class Integer>
void append_integer(Output& output, Integer number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  output.append({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

// Whose strings are escaped once more on their way into another string.
template <class Output>
class EscapingWriter {
 public:
  explicit EscapingWriter(Output& output) : output_(output) {}
  void append(std::string_view bytes) { append_escaped(output_, bytes); }

 private:
  Output& output_;
};

template <class Output>
constexpr bool is_escaping = false;
template <class Output>
constexpr bool is_escaping<EscapingWriter<Output>> = true;

// The value that a text_of() stands for in the message `root`.
const json& referred_value(const json& reference, const json& root) {
  static const json nothing;
  const auto& bytes = reference.get_binary();
  const json::json_pointer place{std::string(bytes.begin(), bytes.end())};
  return root.contains(place) ? root.at(place) : nothing;
}

template <class Output>
void append_value(Output& output, const json& value, const json& root);

template <class Output>
void append_object(Output& output, const json& object, const json& root) {
  std::string_view separator = "{";
  for (const auto& [key, member] : object.get_ref<const json::object_t&>()) {
    output.append(separator);
    append_string(output, key);
    output.append(":");
    append_value(output, member, root);
    separator = ",";
  }
  output.append(object.empty() ? "{}" : "}");
}

template <class Output>
void append_array(Output& output, const json& array, const json& root) {
  std::string_view separator = "[";
  for (const json& element : array.get_ref<const json::array_t&>()) {
    output.append(separator);
    append_value(output, element, root);
    separator = ",";
  }
  output.append(array.empty() ? "[]" : "]");
}

template <class Output>
void append_text_of(Output& output, const json& value, const json& root) {
  output.append("\"");
  EscapingWriter<Output> writer{output};
  // A reference within it is null, so that there are no circles.
  append_value(writer, value, root);
  output.append("\"");
}

template <class Output>
void append_value(Output& output, const json& value, const json& root) {
  switch (value.type()) {
    case json::value_t::object:
      return append_object(output, value, root);
    case json::value_t::array:
      return append_array(output, value, root);
    case json::value_t::string:
      return append_string(output, value.get_ref<const json::string_t&>());
    case json::value_t::boolean:
      return output.append(value.get<bool>() ? "true" : "false");
    case json::value_t::number_integer:
      return append_integer(output, value.get<json::number_integer_t>());
    case json::value_t::number_unsigned:
      return append_integer(output, value.get<json::number_unsigned_t>());
    // The shortest text that reads back the same, which not every standard library's to_chars can write.
    case json::value_t::number_float:
      return output.append(value.dump());
    case json::value_t::binary:
      if constexpr (!is_escaping<Output>) return append_text_of(output, referred_value(value, root), root);
      break;
    case json::value_t::null:
    case json::value_t::discarded:
      break;
  }
  output.append("null");
}

// Enough for text with a few escapes, without reading it: counting exactly would be a second pass over all of it.
std::size_t likely_size(const json& value, const json& root) {
  constexpr std::size_t punctuation = 8;
  if (value.is_string()) {
    const auto size = value.get_ref<const json::string_t&>().size();
    return size + size / 8 + punctuation;
  }
  if (value.is_binary()) {
    const json& referred = referred_value(value, root);
    const auto size = referred.is_binary() ? 0 : likely_size(referred, nullptr);
    return size + size / 8 + punctuation;
  }
  std::size_t size = 3 * punctuation;
  if (value.is_object()) {
    for (const auto& [key, member] : value.get_ref<const json::object_t&>()) {
      size += key.size() + likely_size(member, root);
    }
  } else if (value.is_array()) {
    for (const json& element : value.get_ref<const json::array_t&>()) size += likely_size(element, root);
  }
  return size;
}

}  // namespace

std::string serialize(const json& value) {
  std::string text;
  text.reserve(likely_size(value, value));
  TextWriter writer{text};
  append_value(writer, value, value);
  return text;
}

json text_of(std::string_view place) { return json::binary({place.begin(), place.end()}); }

std::size_t serialized_size(const json& value) {
  SizeCounter counter;
  append_value(counter, value, value);
  return counter.size();
}

std::size_t escaped_size(std::string_view text) {
  SizeCounter counter;
  append_escaped(counter, text);
  return counter.size();
}

}  // namespace cowork_terminal::jsonrpc
