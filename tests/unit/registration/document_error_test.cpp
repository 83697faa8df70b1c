#include "registration/document_error.hpp"

#include <string>

#include "support/catch.hpp"

using namespace cowork_terminal::registration;

TEST_CASE("columns count characters and lines end in LF, CRLF or CR", "[registration]") {
  const std::string text = "\xC3\xA4\xF0\x9F\x98\x80x\r\ny\rz";
  CHECK(DocumentError(text, text.find('x'), "").column() == 3);
  CHECK(DocumentError(text, text.find('y'), "").line() == 2);
  CHECK(DocumentError(text, text.find('z'), "").line() == 3);
  CHECK(std::string(DocumentError(text, text.find('y'), "why").what()) == "line 2, column 1: why");
}

TEST_CASE("a byte order mark is taken off, other encodings are refused", "[registration][K127]") {
  CHECK(checked_utf8("\xEF\xBB\xBF{}") == "{}");
  CHECK(checked_utf8("{}") == "{}");
  CHECK_THROWS_AS(checked_utf8(std::string_view("\xFF\xFE{\0}\0", 6)), DocumentError);
  CHECK_THROWS_AS(checked_utf8("{\"caf\xE9\": 1}"), DocumentError);
}

TEST_CASE("ill-formed UTF-8 is found at its first byte", "[registration]") {
  CHECK(find_invalid_utf8("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80") == std::string::npos);
  CHECK(find_invalid_utf8("ab\xC0\x80") == 2);
  CHECK(find_invalid_utf8("a\xED\xA0\x80") == 1);
  CHECK(find_invalid_utf8("a\xF4\x90\x80\x80") == 1);
  CHECK(find_invalid_utf8("a\xE2\x82") == 1);
  CHECK(find_invalid_utf8("\x80") == 0);
}
