#include <cowork_terminal/process/windows_text.hpp>

#include "support/catch.hpp"

using namespace cowork_terminal::process;

TEST_CASE("UTF-8 and UTF-16 become each other", "[process]") {
  CHECK(to_utf16("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") == L"a\u00E9\u20AC\U0001F600");
  CHECK(to_utf8(L"a\u00E9\u20AC\U0001F600") == "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(to_utf16("").empty());
  CHECK(to_utf8(L"").empty());
}

TEST_CASE("a lone surrogate becomes U+FFFD", "[process]") {
  const wchar_t alone[] = {L'a', static_cast<wchar_t>(0xD800), L'b', L'\0'};
  CHECK(to_utf8(alone) ==
        "a\xEF\xBF\xBD"
        "b");
}

TEST_CASE("an error of the system is told with its number", "[process]") {
  const auto text = describe_windows_error(5);
  CHECK(text.find("error 5") != std::string::npos);
  CHECK(text.size() > std::string{"error 5"}.size());
  CHECK(describe_windows_error(0x1FFFFFFF).find("error 536870911") != std::string::npos);
}
