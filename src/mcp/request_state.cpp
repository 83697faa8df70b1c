#include "mcp/request_state.hpp"

#include <cowork_terminal/jsonrpc/message.hpp>
#include <utility>

#include "mcp/base64url.hpp"
#include "mcp/random_key.hpp"

namespace cowork_terminal::mcp {

namespace {

using nlohmann::json;

constexpr std::string_view version_prefix = "v1.";
constexpr std::size_t remembered_nonces = 4'096;

std::string encoded(const Digest& digest) {
  return to_base64url({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace

std::string call_digest(std::string_view method, std::string_view tool, const json& arguments) {
  // Object keys are sorted in nlohmann::json, which makes the text canonical.
  return encoded(sha256(jsonrpc::serialize(json::array({method, tool, arguments}))));
}

RequestStates::RequestStates(std::chrono::milliseconds lifetime, Clock now)
    : lifetime_(lifetime), now_(std::move(now)) {}

std::string RequestStates::seal(const RequestState& state, std::string_view call) {
  const json content{{"call", call},
                     {"expires", now_in_milliseconds() + lifetime_.count()},
                     {"nonce", state.nonce},
                     {"round", state.round},
                     {"asked", state.asked},
                     {"asked_digest", state.asked_digest},
                     {"answers", state.answers}};
  auto text = std::string(version_prefix) + to_base64url(jsonrpc::serialize(content));
  const auto authentication = mac(text);
  return std::move(text) + "." + authentication;
}

std::optional<RequestState> RequestStates::open(std::string_view text, std::string_view call) {
  const auto dot = text.rfind('.');
  if (text.substr(0, version_prefix.size()) != version_prefix || dot < version_prefix.size()) return std::nullopt;
  const auto signed_part = text.substr(0, dot);
  if (!equal_in_constant_time(mac(signed_part), text.substr(dot + 1))) return std::nullopt;

  // Sealed by us: from here on it has the shape that seal() gave it.
  const auto content = json::parse(from_base64url(signed_part.substr(version_prefix.size())).value());
  if (content.at("call").get_ref<const std::string&>() != call) return std::nullopt;
  if (content.at("expires").get<std::int64_t>() <= now_in_milliseconds()) return std::nullopt;
  RequestState state{content.at("nonce").get<std::uint64_t>(), content.at("round").get<int>(),
                     content.at("asked").get<std::string>(), content.at("asked_digest").get<std::string>(),
                     content.at("answers")};
  if (used_up(state.nonce)) return std::nullopt;
  return state;
}

bool RequestStates::use_up(std::uint64_t nonce) {
  if (used_up(nonce)) return false;
  used_.insert(nonce);
  if (used_.size() > remembered_nonces) {
    // Forgetting one must not bring it back to life: everything as old as it is refused from now on.
    used_up_to_ = *used_.begin();
    used_.erase(used_.begin());
  }
  return true;
}

bool RequestStates::used_up(std::uint64_t nonce) const { return nonce <= used_up_to_ || used_.count(nonce) != 0; }

std::string RequestStates::mac(std::string_view signed_part) {
  if (!key_) key_ = random_key();
  return encoded(hmac_sha256(*key_, signed_part));
}

std::int64_t RequestStates::now_in_milliseconds() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(now_().time_since_epoch()).count();
}

}  // namespace cowork_terminal::mcp
