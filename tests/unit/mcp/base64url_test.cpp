#include "mcp/base64url.hpp"

#include "support/catch.hpp"

using namespace cowork_terminal::mcp;

TEST_CASE("base64url gives the texts of RFC 4648 without padding", "[mcp]") {
  CHECK(to_base64url("").empty());
  CHECK(to_base64url("f") == "Zg");
  CHECK(to_base64url("fo") == "Zm8");
  CHECK(to_base64url("foo") == "Zm9v");
  CHECK(to_base64url("foobar") == "Zm9vYmFy");
  CHECK(to_base64url("\xfb\xff\xbf") == "-_-_");
}

TEST_CASE("base64url is read back for every byte and every length", "[mcp]") {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes += static_cast<char>(i);
    CHECK(from_base64url(to_base64url(bytes)) == bytes);
  }
}

TEST_CASE("base64url has one text for some bytes and no other", "[mcp]") {
  for (const char* wrong : {"Z", "Zg==", "Zh", "Zm9", "Zm 8", "Zm8\n", "+/+/", "Zm9v.", "Zm9vä"}) {
    CAPTURE(wrong);
    CHECK_FALSE(from_base64url(wrong).has_value());
  }
}
