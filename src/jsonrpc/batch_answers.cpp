#include <utility>

#include "jsonrpc/request_in_flight.hpp"

namespace cowork_terminal::jsonrpc {

BatchAnswers::~BatchAnswers() {
  const auto dispatcher = line_.empty() ? nullptr : dispatcher_.lock();
  if (!dispatcher) return;
  line_.push_back(']');
  dispatcher->send(std::move(line_), [all = std::move(delivered_)](bool written) {
    for (const Delivered& delivered : all) delivered(written);
  });
}

void BatchAnswers::add(std::string_view answer, Delivered delivered) {
  line_.push_back(line_.empty() ? '[' : ',');
  line_.append(answer);
  if (delivered) delivered_.push_back(std::move(delivered));
}

}  // namespace cowork_terminal::jsonrpc
