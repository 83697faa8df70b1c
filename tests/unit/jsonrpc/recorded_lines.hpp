#pragma once

#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace cowork_terminal::jsonrpc {

// A dispatcher whose requests stay open until the test ends them, and the lines that it sent.
struct RecordedLines {
  std::vector<nlohmann::json> lines;
  std::vector<Delivered> delivered;
  std::vector<std::string> log;
  std::vector<Request> requests;
  std::vector<ReplyOnce> replies;
  std::vector<Notification> notifications;
  Dispatcher dispatcher{[this](std::string line, Delivered when) {
    lines.push_back(nlohmann::json::parse(line));
    delivered.push_back(std::move(when));
  }};

  RecordedLines() {
    MessageHandlers handlers;
    handlers.on_request = [this](Request request, ReplyOnce& reply) {
      requests.push_back(std::move(request));
      replies.push_back(std::move(reply));
    };
    handlers.on_notification = [this](Notification notification) { notifications.push_back(std::move(notification)); };
    handlers.log = [this](std::string_view line) { log.emplace_back(line); };
    dispatcher.handle(std::move(handlers));
  }

  void request(const nlohmann::json& id, std::string_view method = "m") {
    dispatcher.receive_line(serialize(make_request(id, method, nullptr)));
  }

  [[nodiscard]] nlohmann::json last() const {
    return lines.empty() ? nlohmann::json("nothing was sent") : lines.back();
  }
  [[nodiscard]] int last_code() const { return last().contains("error") ? last()["error"]["code"].get<int>() : 0; }
};

}  // namespace cowork_terminal::jsonrpc
