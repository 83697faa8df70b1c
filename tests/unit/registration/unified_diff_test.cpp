#include "registration/unified_diff.hpp"

#include <string>

#include "support/catch.hpp"

using namespace cowork_terminal::registration;

TEST_CASE("texts that are the same have no diff", "[registration]") {
  CHECK(unified_diff("a\n", "a\n", "x", "y").empty());
}

TEST_CASE("a change has three lines of context around it", "[registration]") {
  CHECK(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nx\ny\n6\n7\n8\n", "x", "y") ==
        "--- x\n+++ y\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+x\n+y\n 6\n 7\n 8\n");
}

TEST_CASE("changes far apart are hunks of their own", "[registration]") {
  std::string before;
  for (int i = 1; i <= 20; ++i) before += std::to_string(i) + "\n";
  std::string after = before;
  after.replace(after.find("2\n"), 2, "two\n");
  after.replace(after.find("18\n"), 3, "");
  CHECK(unified_diff(before, after, "x", "y") ==
        "--- x\n+++ y\n@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -15,6 +15,5 @@\n 15\n 16\n 17\n-18\n 19\n 20\n");
}

TEST_CASE("a new file, an emptied one and a missing line break are shown as diff shows them", "[registration]") {
  CHECK(unified_diff("", "a\nb", "/dev/null", "y") ==
        "--- /dev/null\n+++ y\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n");
  CHECK(unified_diff("a\n", "", "x", "y") == "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n");
  CHECK(unified_diff("a", "a\n", "x", "y") == "--- x\n+++ y\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

TEST_CASE("a very long changed middle is shown as replaced", "[registration]") {
  std::string before;
  std::string after;
  for (int i = 0; i < 5'000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  CHECK(unified_diff(before, after, "x", "y").starts_with("--- x\n+++ y\n@@ -1,5000 +1,5000 @@\n-a0\n-a1\n"));
}
