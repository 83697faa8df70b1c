#include "jsonrpc/oversized_line_scanner.hpp"

#include <algorithm>
#include <cowork_terminal/jsonrpc/message.hpp>
#include <utility>

namespace cowork_terminal::jsonrpc {
namespace {

using nlohmann::json;

// The value of one JSON string or number; null if it is none, or cut.
json parse_token(std::string_view token) {
  json value = json::parse(token, nullptr, false);
  return value.is_discarded() ? json(nullptr) : value;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

void OversizedLineScanner::feed(std::string_view piece) {
  while (!piece.empty() && place_ != Place::after_object) {
    if (in_string_) {
      piece.remove_prefix(feed_string(piece));
    } else {
      feed_structure(piece.front());
      piece.remove_prefix(1);
    }
  }
}

json OversizedLineScanner::id() {
  end_scalar();
  const bool is_usable = id_.is_string() || id_.is_number_integer();
  return is_usable && serialized_size(id_) <= max_id_size ? id_ : json(nullptr);
}

std::size_t OversizedLineScanner::feed_string(std::string_view piece) {
  if (std::exchange(after_backslash_, false)) {
    keep(piece.substr(0, 1));
    return 1;
  }
  const std::size_t length = std::min(piece.find_first_of("\"\\"), piece.size());
  if (length > 0) {
    keep(piece.substr(0, length));
    return length;
  }
  keep(piece.substr(0, 1));
  if (piece.front() == '\\') {
    after_backslash_ = true;
  } else {
    end_string();
  }
  return 1;
}

void OversizedLineScanner::feed_structure(char c) {
  if (is_space(c)) return end_scalar();
  switch (c) {
    case '"':
      return begin_string();
    case '{':
    case '[':
      return begin_container(c);
    case '}':
    case ']':
      return end_container();
    default:
      break;
  }
  if (place_ == Place::before_object) {
    place_ = Place::after_object;
  } else if (c == ':' && at_member() && place_ == Place::after_key) {
    place_ = Place::value;
  } else if (c == ',' && at_member()) {
    end_scalar();
    place_ = Place::key;
  } else if (at_id()) {
    keeping_ = true;
    keep({&c, 1});
  }
}

void OversizedLineScanner::begin_string() {
  in_string_ = true;
  if (place_ == Place::before_object) place_ = Place::after_object;
  keeping_ = at_id() || (at_member() && place_ == Place::key);
  token_.clear();
  keep("\"");
}

void OversizedLineScanner::begin_container(char bracket) {
  if (place_ == Place::before_object) {
    place_ = bracket == '{' ? Place::key : Place::after_object;
  } else if (at_id()) {
    id_ = nullptr;
  }
  ++depth_;
}

void OversizedLineScanner::end_container() {
  end_scalar();
  if (depth_ == 1) place_ = Place::after_object;
  if (depth_ > 0) --depth_;
}

void OversizedLineScanner::end_string() {
  in_string_ = false;
  if (!std::exchange(keeping_, false)) return;
  if (at_id()) {
    id_ = parse_token(token_);
  } else {
    key_is_id_ = parse_token(token_) == "id";
    place_ = Place::after_key;
  }
  token_.clear();
}

void OversizedLineScanner::end_scalar() {
  if (in_string_ || !std::exchange(keeping_, false)) return;
  id_ = parse_token(token_);
  token_.clear();
}

void OversizedLineScanner::keep(std::string_view text) {
  // Cut, a token is no JSON any more, and so neither "id" nor an id.
  if (keeping_ && token_.size() <= max_id_size) token_.append(text.substr(0, max_id_size + 1 - token_.size()));
}

}  // namespace cowork_terminal::jsonrpc
