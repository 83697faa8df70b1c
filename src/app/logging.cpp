#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <cowork_terminal/app/logging.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "app/standard_error.hpp"

namespace cowork_terminal::app {

namespace {

class StandardErrorSink final : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (dropped_ > 0 &&
        write_standard_error_now("[" + std::to_string(dropped_) + " log lines were dropped: nobody read stderr]\n")) {
      dropped_ = 0;
    }
    if (dropped_ > 0 || !write_standard_error_now({line.data(), line.size()})) ++dropped_;
  }
  void flush_() override {}

 private:
  std::uint64_t dropped_ = 0;
};

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::trace:
      return spdlog::level::trace;
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warn:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::off:
      return spdlog::level::off;
  }
  return spdlog::level::info;
}

std::string without_control_characters(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string line;
  line.reserve(text.size());
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0x20 && byte != 0x7f) {
      line += character;
    } else {
      line += {'\\', 'x', digits[byte >> 4U], digits[byte & 0xfU]};
    }
  }
  return line;
}

}  // namespace

void start_logging(LogLevel level) {
  auto logger = std::make_shared<spdlog::logger>("cowork-terminal-mcp", std::make_shared<StandardErrorSink>());
  logger->set_level(spdlog_level(level));
  logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %n %l: %v");
  // spdlog's own default writes to stdout, which belongs to the protocol.
  spdlog::set_default_logger(std::move(logger));
}

void log(LogLevel level, std::string_view message) {
  if (!spdlog::should_log(spdlog_level(level))) return;
  spdlog::log(spdlog_level(level), "{}", without_control_characters(message));
}

void log_exception(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    log(LogLevel::error, std::string("a task failed unexpectedly: ") + error.what());
  } catch (...) {
    log(LogLevel::error, "a task failed unexpectedly");
  }
}

}  // namespace cowork_terminal::app
