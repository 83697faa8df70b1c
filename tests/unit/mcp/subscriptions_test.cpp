#include "mcp/subscriptions.hpp"

#include "recorded_client.hpp"
#include "support/catch.hpp"

namespace {

using namespace cowork_terminal::mcp;
using cowork_terminal::mcp::tests::error_code_of;
using cowork_terminal::mcp::tests::RecordedClient;
using nlohmann::json;

const json all_of_it{{"notifications", {{"toolsListChanged", true}, {"resourceSubscriptions", {"file:///x"}}}}};

json listen(RecordedClient& client, const json& id) {
  return client.modern_request(id, "subscriptions/listen", all_of_it);
}

json acknowledgement(const json& id) {
  return {{"jsonrpc", "2.0"},
          {"method", "notifications/subscriptions/acknowledged"},
          {"params", {{"_meta", {{meta_key::subscription_id, id}}}, {"notifications", json::object()}}}};
}

}  // namespace

TEST_CASE("a subscription is acknowledged first, under its id with its type, and stays silent", "[mcp][P60]") {
  for (const auto& id : {json("listen:0"), json(7), json(0), json("7")}) {
    RecordedClient client;
    CHECK(listen(client, id).is_null());
    REQUIRE(client.sent.size() == 1);
    CHECK(client.sent[0] == acknowledgement(id));
    CHECK(client.sent[0]["params"]["_meta"][meta_key::subscription_id].dump() == id.dump());
  }
}

TEST_CASE("a subscription without a filter is refused", "[mcp][P60]") {
  RecordedClient client;
  CHECK(error_code_of(client.modern_request(1, "subscriptions/listen")) == -32602);
  CHECK(error_code_of(client.modern_request(2, "subscriptions/listen", {{"notifications", {1}}})) == -32602);
  CHECK(client.sent.size() == 2);
}

TEST_CASE("a cancelled subscription is forgotten in silence", "[mcp][P61]") {
  RecordedClient client;
  listen(client, "listen:0");
  client.cancel("listen:0");
  client.server->close();
  CHECK(client.sent.size() == 1);
  CHECK(client.dispatcher.in_flight() == 0);
}

TEST_CASE("open subscriptions end with their result when the server closes", "[mcp][P62]") {
  RecordedClient client;
  listen(client, "listen:0");
  listen(client, 7);
  client.server->close();
  CHECK(client.answer_to("listen:0")["result"] ==
        json{{"resultType", "complete"},
             {"_meta",
              {{meta_key::subscription_id, "listen:0"},
               {meta_key::server_info, {{"name", "name"}, {"title", "Title"}, {"version", "1.2.3"}}}}}});
  CHECK(client.answer_to(7)["result"]["_meta"][meta_key::subscription_id] == 7);
  CHECK(client.dispatcher.in_flight() == 0);
}

TEST_CASE("a subscription after the close is acknowledged and ends at once", "[mcp]") {
  RecordedClient client;
  client.server->close();
  CHECK(listen(client, 7)["result"]["resultType"] == "complete");
  CHECK(client.sent[0] == acknowledgement(7));
}

TEST_CASE("64 subscriptions may be open, and a cancelled one makes room", "[mcp]") {
  RecordedClient client;
  for (int id = 0; id < 64; ++id) CHECK(listen(client, id).is_null());
  CHECK(error_code_of(listen(client, 64)) == -32603);
  client.cancel(3);
  CHECK(listen(client, 65).is_null());
  CHECK(error_code_of(listen(client, 66)) == -32603);
}
