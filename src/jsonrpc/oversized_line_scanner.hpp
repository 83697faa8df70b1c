#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace cowork_terminal::jsonrpc {

// Reads the top-level "id" of a JSON object that is too long to be kept, piece by piece and in constant memory. Does
// not check the rest of the text.
class OversizedLineScanner {
 public:
  void feed(std::string_view piece);
  // The id after the end of the text: a string or an integer as a request may have it, else null. As in a parsed object
  // the last of several wins.
  [[nodiscard]] nlohmann::json id();

 private:
  enum class Place { before_object, key, after_key, value, after_object };

  // Takes what stands inside of a string and returns its size; at least one byte.
  std::size_t feed_string(std::string_view piece);
  void feed_structure(char c);
  void begin_string();
  void begin_container(char bracket);
  void end_container();
  void end_string();
  void end_scalar();
  [[nodiscard]] bool at_member() const { return depth_ == 1; }
  [[nodiscard]] bool at_id() const { return depth_ == 1 && place_ == Place::value && key_is_id_; }
  void keep(std::string_view text);

  Place place_ = Place::before_object;
  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool after_backslash_ = false;
  bool keeping_ = false;  // token_ is being filled
  bool key_is_id_ = false;
  std::string token_;  // a key or an id as it stands in the text, cut soon after it is too long for one
  nlohmann::json id_;
};

}  // namespace cowork_terminal::jsonrpc
