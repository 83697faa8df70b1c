#include "mcp/request_context.hpp"

#include "support/catch.hpp"

namespace {

using namespace cowork_terminal::mcp;
using cowork_terminal::jsonrpc::Error;
using cowork_terminal::jsonrpc::Request;
using nlohmann::json;

const LegacySession session_2025_06_18{&revision_2025_06_18, {{"elicitation", json::object()}}, "old"};

json envelope(json meta = json::object()) {
  meta.emplace(meta_key::protocol_version, "2026-07-28");
  meta.emplace(meta_key::client_capabilities, json::object());
  return {{"_meta", std::move(meta)}};
}

RequestContext resolve(const std::string& method_name, json params, const std::optional<LegacySession>& session = {}) {
  return resolve_request_context(Request{1, method_name, std::move(params)}, session);
}

int error_of(const std::string& method_name, json params, const std::optional<LegacySession>& session = {}) {
  try {
    resolve(method_name, std::move(params), session);
  } catch (const Error& error) {
    return error.code;
  }
  return 0;
}

RequestContext capable(const RevisionFeatures& revision, json capabilities) {
  return {revision.era, &revision, std::move(capabilities), {}, nullptr};
}

}  // namespace

TEST_CASE("a request with any key of the envelope is modern, whatever was negotiated", "[mcp][P56]") {
  for (const auto& session : {std::optional<LegacySession>{}, std::optional{session_2025_06_18}}) {
    const auto context = resolve("tools/list", envelope(), session);
    CHECK(context.era == Era::modern);
    CHECK(context.revision == &revision_2026_07_28);
    CHECK(context.client_capabilities == json::object());
    for (const char* key : {meta_key::protocol_version, meta_key::client_capabilities, meta_key::client_info}) {
      CAPTURE(key);
      CHECK(error_of("tools/list", {{"_meta", {{key, 1}}}}, session) == -32602);
    }
  }
}

TEST_CASE("a request without the envelope is served as the handshake said", "[mcp]") {
  const auto context = resolve("tools/list", {{"_meta", {{"other", 1}}}}, session_2025_06_18);
  CHECK(context.era == Era::legacy);
  CHECK(context.revision == &revision_2025_06_18);
  CHECK(context.client_name == "old");
  CHECK(context.client_has("elicitation"));
  CHECK(resolve("tools/list", nullptr).revision == nullptr);
}

TEST_CASE("discover and listen are modern by their names and need the envelope", "[mcp][P51]") {
  for (const char* name : {"server/discover", "subscriptions/listen"}) {
    CAPTURE(name);
    CHECK(error_of(name, nullptr, session_2025_06_18) == -32602);
    CHECK(error_of(name, json::object()) == -32602);
    CHECK(error_of(name, json::array()) == -32602);
    CHECK(error_of(name, {{"_meta", {{meta_key::client_capabilities, json::object()}}}}) == -32602);
    CHECK(error_of(name, {{"_meta", {{meta_key::protocol_version, "2026-07-28"}}}}) == -32602);
    CHECK(
        error_of(name, {{"_meta", {{meta_key::protocol_version, "2026-07-28"}, {meta_key::client_capabilities, 1}}}}) ==
        -32602);
    CHECK(resolve(name, envelope()).era == Era::modern);
  }
}

TEST_CASE("another revision than ours in the envelope is named with those that are served", "[mcp][P53][P54]") {
  for (const char* version : {"1900-01-01", "2025-11-25", "2026-07-29", ""}) {
    try {
      resolve("tools/call", envelope({{meta_key::protocol_version, version}}), session_2025_06_18);
      FAIL("served " << version);
    } catch (const Error& error) {
      CHECK(error.code == -32022);
      CHECK(error.data == json{{"supported", {"2026-07-28"}}, {"requested", version}});
    }
  }
}

TEST_CASE("a revision that is no string is an error of the envelope", "[mcp][P55]") {
  CHECK(error_of("tools/list", envelope({{meta_key::protocol_version, 2026}})) == -32602);
}

TEST_CASE("an envelope that is incomplete goes before a revision that is wrong", "[mcp]") {
  CHECK(error_of("tools/list", {{"_meta", {{meta_key::protocol_version, "1900-01-01"}}}}) == -32602);
}

TEST_CASE("the client's name is optional and only its name", "[mcp][P52]") {
  CHECK(resolve("tools/list", envelope()).client_name.empty());
  CHECK(resolve("tools/list", envelope({{meta_key::client_info, 5}})).client_name.empty());
  CHECK(resolve("tools/list", envelope({{meta_key::client_info, {{"name", 5}}}})).client_name.empty());
  CHECK(resolve("tools/list", envelope({{meta_key::client_info, {{"name", "it"}}}})).client_name == "it");
}

TEST_CASE("a log level must be one of the eight", "[mcp][P64]") {
  CHECK(error_of("tools/list", envelope({{meta_key::log_level, "loud"}})) == -32602);
  CHECK(error_of("tools/list", envelope({{meta_key::log_level, 7}})) == -32602);
  for (const char* level : {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"})
    CHECK(error_of("tools/list", envelope({{meta_key::log_level, level}})) == 0);
}

TEST_CASE("a _meta that is no object is refused in either era", "[mcp][P102]") {
  for (const auto& meta : {json(5), json("x"), json::array(), json(nullptr), json(true)}) {
    CAPTURE(meta.dump());
    CHECK(error_of("ping", {{"_meta", meta}}) == -32602);
    CHECK(error_of("tools/call", {{"_meta", meta}}, session_2025_06_18) == -32602);
    CHECK(error_of("server/discover", {{"_meta", meta}}) == -32602);
  }
}

TEST_CASE("a progress token is a string or an integer and keeps its type", "[mcp][P44][P48]") {
  for (const auto& token : {json(0), json(-7), json("a"), json(""), json(18446744073709551615U)}) {
    CAPTURE(token.dump());
    const auto legacy = resolve("tools/call", {{"_meta", {{"progressToken", token}}}}, session_2025_06_18);
    CHECK(legacy.progress_token == token);
    CHECK(legacy.progress_token.type() == token.type());
    CHECK(resolve("tools/call", envelope({{"progressToken", token}})).progress_token == token);
  }
  for (const auto& token : {json(1.5), json::object(), json::array(), json(nullptr), json(true)}) {
    CAPTURE(token.dump());
    CHECK(error_of("tools/call", {{"_meta", {{"progressToken", token}}}}, session_2025_06_18) == -32602);
    CHECK(error_of("tools/call", envelope({{"progressToken", token}})) == -32602);
  }
  CHECK(resolve("tools/call", envelope()).progress_token.is_null());
}

TEST_CASE("forms are shown only where revision and capability agree", "[mcp][P72][P73]") {
  const json empty{{"elicitation", json::object()}};
  const json form{{"elicitation", {{"form", json::object()}}}};
  const json url{{"elicitation", {{"url", json::object()}}}};
  const json both{{"elicitation", {{"form", json::object()}, {"url", json::object()}}}};
  CHECK_FALSE(capable(revision_2024_11_05, form).client_shows_forms());
  CHECK_FALSE(capable(revision_2025_03_26, form).client_shows_forms());
  CHECK(capable(revision_2025_06_18, empty).client_shows_forms());
  CHECK(capable(revision_2025_06_18, url).client_shows_forms());
  for (const auto* revision : {&revision_2025_11_25, &revision_2026_07_28}) {
    CHECK(capable(*revision, empty).client_shows_forms());
    CHECK(capable(*revision, form).client_shows_forms());
    CHECK(capable(*revision, both).client_shows_forms());
    CHECK_FALSE(capable(*revision, url).client_shows_forms());
    CHECK_FALSE(capable(*revision, json::object()).client_shows_forms());
    CHECK_FALSE(capable(*revision, {{"elicitation", true}}).client_shows_forms());
  }
}
