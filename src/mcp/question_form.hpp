#pragma once

#include <cowork_terminal/mcp/tool.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "mcp/protocol.hpp"

namespace cowork_terminal::mcp {

// The schema of a question in the words of a revision; nothing if the revision has no words for it.
std::optional<nlohmann::json> form_in(FormDialect dialect, const nlohmann::json& schema);

// The properties of `schema` in `content`; nothing if the content does not conform.
std::optional<nlohmann::json> conforming_content(const nlohmann::json& schema, const nlohmann::json& content);

// What an ElicitResult says; nothing if it is not one or its content does not conform to the schema.
std::optional<Answer> read_answer(const nlohmann::json& elicit_result, const nlohmann::json& schema);

}  // namespace cowork_terminal::mcp
