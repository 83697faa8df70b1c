#include "tools/progress_message.hpp"

namespace cowork_terminal::tools {

namespace {

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1'000) return std::to_string(bytes) + " bytes";
  if (bytes < 1'000'000) return std::to_string(bytes / 1'000) + " kB";
  if (bytes < 1'000'000'000) return std::to_string(bytes / 1'000'000) + " MB";
  return std::to_string(bytes / 1'000'000'000) + " GB";
}

}  // namespace

std::string progress_message(std::chrono::seconds elapsed, bool waiting, std::uint64_t output_bytes) {
  const auto seconds = std::to_string(elapsed.count()) + " s";
  if (waiting) return "waiting for its turn for " + seconds;
  return "running for " + seconds + ", " + size_text(output_bytes) + " of output";
}

}  // namespace cowork_terminal::tools
