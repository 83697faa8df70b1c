#include "policy/log_file.hpp"

#include <fstream>
#include <string>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace cowork_terminal;
using cowork_terminal::policy::append_to_log;

TEST_CASE("a full file becomes the first of the kept ones, and the oldest goes", "[policy]") {
  const TemporaryFolder folder;
  const std::string file = folder.path("log");
  for (const char* line : {"1\n", "2\n", "3\n", "4\n", "5\n", "6\n"}) {
    CHECK_FALSE(append_to_log(file, line, {2, 3}));
  }
  CHECK(bytes_of(file) == "6\n");
  CHECK(bytes_of(file + ".1") == "5\n");
  CHECK(bytes_of(file + ".2") == "4\n");
  CHECK(bytes_of(file + ".3") == "3\n");
  CHECK_FALSE(std::ifstream(file + ".4"));
}

TEST_CASE("a file is filled up to its size, and one line larger than that still has a place", "[policy]") {
  const TemporaryFolder folder;
  const std::string file = folder.path("log");
  for (const char* line : {"a\n", "b\n", "c\n"}) CHECK_FALSE(append_to_log(file, line, {4, 3}));
  CHECK(bytes_of(file) == "c\n");
  CHECK(bytes_of(file + ".1") == "a\nb\n");
  CHECK_FALSE(append_to_log(file, "larger\n", {4, 3}));
  CHECK_FALSE(append_to_log(file, "d\n", {4, 3}));
  CHECK(bytes_of(file + ".1") == "larger\n");
  CHECK(bytes_of(file + ".2") == "c\n");
}

TEST_CASE("an empty line only looks whether the file can be written", "[policy]") {
  const TemporaryFolder folder;
  CHECK_FALSE(append_to_log(folder.path("x/log"), ""));
  CHECK(bytes_of(folder.path("x/log")).empty());
  CHECK(append_to_log(folder.path(), ""));
}

TEST_CASE("what is not the absolute path of a file is a problem", "[policy]") {
  CHECK(append_to_log("", "x\n"));
  CHECK(append_to_log("log", "x\n"));
}
