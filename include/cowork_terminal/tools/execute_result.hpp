#pragma once

#include <chrono>
#include <cowork_terminal/mcp/tool.hpp>
#include <cowork_terminal/process/command.hpp>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cowork_terminal::tools {

// The result object of contract §3 for a command that ran; the streams are cut further where `room` asks for it
// (contract C-13). Members come in alphabetical order, so that the exit code stands before long output.
nlohmann::json execute_result(process::CommandOutcome outcome, std::vector<std::string> notes, std::size_t output_limit,
                              const mcp::ResultRoom& room);

// The note on a command that its timeout ended.
std::string timeout_note(std::chrono::milliseconds timeout);

}  // namespace cowork_terminal::tools
