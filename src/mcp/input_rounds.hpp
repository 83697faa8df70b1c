#pragma once

#include <cowork_terminal/mcp/tool.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/request_state.hpp"

namespace cowork_terminal::mcp {

// The questions of one modern `tools/call` (protocol.md §3.9): each request of the chain is answered with
// `input_required` until every question that the tool asks has its answer.
class InputRounds {
 public:
  // `params` of the request; `tool` and `arguments` outlive this. Throws jsonrpc::Error for members of the wrong shape
  // and for a state that is refused.
  InputRounds(RequestStates& states, int round_limit, const nlohmann::json& params, const std::string& tool,
              const nlohmann::json& arguments);

  // The answer that came with the request or with one before it. Throws jsonrpc::Error if the answers of this state
  // have been used by another request.
  std::optional<Answer> answer_to(const Question& question);
  // Members of the `input_required` result that puts the question; nothing once the rounds are used up.
  std::optional<nlohmann::json> ask(const Question& question);

 private:
  [[nodiscard]] std::optional<Answer> earlier_answer(const Question& question) const;
  std::optional<Answer> new_answer(const Question& question);
  void use_up_state();
  const std::string& call();

  RequestStates& states_;
  int round_limit_;
  const std::string& tool_;
  const nlohmann::json& arguments_;
  std::string call_;          // digest, made when first needed: most calls ask nothing
  nlohmann::json responses_;  // an object
  std::optional<RequestState> state_;
  bool used_up_ = false;
};

}  // namespace cowork_terminal::mcp
