#include "mcp/result_shape.hpp"

#include <algorithm>
#include <cowork_terminal/jsonrpc/message.hpp>
#include <string>
#include <utility>

#include "mcp/excerpt.hpp"

namespace cowork_terminal::mcp {

namespace {

using nlohmann::json;

json text_block(std::string text) { return {{"type", "text"}, {"text", std::move(text)}}; }

json structured_result(ToolResult result, const RevisionFeatures& revision) {
  json members{{"isError", result.is_error}};
  if (revision.structured_content) {
    members["content"].push_back({{"type", "text"}, {"text", jsonrpc::text_of("/result/structuredContent")}});
    members["structuredContent"] = std::move(result.structured);
  } else {
    members["content"].push_back(text_block(jsonrpc::serialize(result.structured)));
  }
  return members;
}

// The longest start of whole characters that takes at most `room` bytes escaped, with a mark if it is not all.
std::string cut_to(std::string text, std::size_t room) {
  static constexpr std::string_view mark = " [cut: the text was too long]";
  if (jsonrpc::escaped_size(text) <= room) return text;
  room -= std::min(room, mark.size());
  std::size_t fits = 0;
  for (std::size_t beyond = text.size(); beyond - fits > 1;) {
    const auto middle = fits + (beyond - fits) / 2;
    const auto start = std::string_view(text).substr(0, whole_characters(text, middle));
    (jsonrpc::escaped_size(start) <= room ? fits : beyond) = middle;
  }
  text.resize(whole_characters(text, fits));
  return text.append(mark);
}

}  // namespace

json server_info(const ServerIdentity& identity, const RevisionFeatures& revision) {
  json info{{"name", identity.name}, {"version", identity.version}};
  if (revision.structured_content && !identity.title.empty()) info["title"] = identity.title;
  return info;
}

json modern_result(json members, const ServerIdentity& identity) {
  members.emplace("resultType", "complete");
  members["_meta"][meta_key::server_info] = server_info(identity, modern_revision);
  return members;
}

json tool_entry(const ToolDefinition& definition, const RevisionFeatures& revision) {
  json entry{
      {"name", definition.name}, {"description", definition.description}, {"inputSchema", definition.input_schema}};
  if (revision.tool_annotations) {
    const auto& annotations = definition.annotations;
    entry["annotations"] = {{"readOnlyHint", annotations.read_only},
                            {"destructiveHint", annotations.destructive},
                            {"idempotentHint", annotations.idempotent},
                            {"openWorldHint", annotations.open_world}};
    if (!definition.title.empty()) entry["annotations"]["title"] = definition.title;
  }
  if (revision.structured_content) {
    if (!definition.title.empty()) entry["title"] = definition.title;
    if (!definition.output_schema.is_null()) entry["outputSchema"] = definition.output_schema;
    if (!definition.meta.is_null()) entry["_meta"] = definition.meta;
  }
  return entry;
}

json call_tool_result(ToolResult result, const RevisionFeatures& revision, std::size_t room) {
  if (!result.structured.is_null()) return structured_result(std::move(result), revision);
  json content = json::array();
  for (auto& text : result.text) {
    auto block = text_block(cut_to(std::move(text), room));
    room -= std::min(room, jsonrpc::serialize(block).size() + 1);
    content.push_back(std::move(block));
  }
  return {{"content", std::move(content)}, {"isError", result.is_error}};
}

}  // namespace cowork_terminal::mcp
