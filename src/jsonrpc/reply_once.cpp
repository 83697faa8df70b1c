#include <utility>

#include "jsonrpc/request_in_flight.hpp"

namespace cowork_terminal::jsonrpc {
namespace {

constexpr auto dropped_text = "Internal error: the request was dropped without an answer";

}  // namespace

ReplyOnce::ReplyOnce(std::shared_ptr<State> state) : state_(std::move(state)) {}

ReplyOnce::ReplyOnce(ReplyOnce&&) noexcept = default;

ReplyOnce& ReplyOnce::operator=(ReplyOnce&& other) noexcept {
  if (this != &other) {
    const ReplyOnce ended{std::move(*this)};
    state_ = std::move(other.state_);
  }
  return *this;
}

ReplyOnce::~ReplyOnce() {
  if (pending()) error({ErrorCode::internal_error, dropped_text});
}

void ReplyOnce::result(nlohmann::json result, Delivered delivered) {
  const auto dispatcher = pending() ? state_->dispatcher.lock() : nullptr;
  if (dispatcher) {
    dispatcher->answer(*state_, make_result(state_->id, std::move(result)), std::move(delivered));
  } else if (delivered) {
    delivered(false);
  }
}

void ReplyOnce::error(Error error) {
  if (!pending()) return;
  if (const auto dispatcher = state_->dispatcher.lock()) {
    dispatcher->answer(*state_, make_error(state_->id, error), {});
  }
}

void ReplyOnce::drop() {
  if (!pending()) return;
  const auto dispatcher = state_->dispatcher.lock();
  if (dispatcher && dispatcher->end(*state_)) dispatcher->tell_if_idle();
}

bool ReplyOnce::pending() const { return state_ != nullptr && state_->is_pending; }

const nlohmann::json& ReplyOnce::id() const { return state_->id; }

void ReplyOnce::on_cancel(std::function<void()> hook) {
  if (pending()) state_->cancel_hook = std::move(hook);
}

std::size_t ReplyOnce::line_sharers() const { return state_->line_sharers; }

bool ReplyOnce::in_batch() const { return state_->is_batched; }

}  // namespace cowork_terminal::jsonrpc
