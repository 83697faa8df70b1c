#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "mcp/hmac_sha256.hpp"

namespace cowork_terminal::mcp {

// What has to survive between two rounds of one call. It travels through the client (`requestState`), which may give it
// back late, twice, altered, or to another process.
struct RequestState {
  std::uint64_t nonce = 0;
  int round = 0;                                      // input_required results so far
  std::string asked;                                  // key of the question that is out
  std::string asked_digest;                           // of its wording
  nlohmann::json answers = nlohmann::json::object();  // key → {"question": digest, "result": ElicitResult}
};

// Digest of what a state belongs to: it is good for this method, tool and these arguments only.
std::string call_digest(std::string_view method, std::string_view tool, const nlohmann::json& arguments);

// Seals states with a key of this process and knows which ones were used up.
class RequestStates {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  explicit RequestStates(std::chrono::milliseconds lifetime, Clock now = std::chrono::steady_clock::now);

  std::string seal(const RequestState& state, std::string_view call);
  // Nothing if `text` was not sealed here for this call, or has expired, or was used up.
  std::optional<RequestState> open(std::string_view text, std::string_view call);

  std::uint64_t fresh_nonce() { return ++last_nonce_; }
  // False if it had been used up before.
  bool use_up(std::uint64_t nonce);

 private:
  [[nodiscard]] bool used_up(std::uint64_t nonce) const;
  std::string mac(std::string_view signed_part);
  [[nodiscard]] std::int64_t now_in_milliseconds() const;

  std::chrono::milliseconds lifetime_;
  Clock now_;
  std::optional<Digest> key_;
  std::uint64_t last_nonce_ = 0;
  std::set<std::uint64_t> used_;
  std::uint64_t used_up_to_ = 0;  // every nonce up to here counts as used
};

}  // namespace cowork_terminal::mcp
