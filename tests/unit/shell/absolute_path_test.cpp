#include "shell/absolute_path.hpp"

#include "support/catch.hpp"

using namespace cowork_terminal::shell;

TEST_CASE("on POSIX an absolute path stays as it is, every byte", "[shell][K43]") {
  for (const char* path : {"/", "/a/../b//c/", "/tmp/a b/ñ 中文 'q' \"d\" $x", "/a\\b", "/~", "/c"}) {
    CHECK(absolute_posix_path(path, "/home/u") == path);
  }
}

TEST_CASE("on POSIX a tilde and relative paths are taken from the home directory", "[shell]") {
  CHECK(absolute_posix_path("", "/home/u") == "/home/u");
  CHECK(absolute_posix_path("~", "/home/u") == "/home/u");
  CHECK(absolute_posix_path("~/", "/home/u") == "/home/u");
  CHECK(absolute_posix_path("~/x/..", "/home/u") == "/home/u/x/..");
  CHECK(absolute_posix_path("~//x", "/home/u") == "/home/u/x");
  CHECK(absolute_posix_path("x/y", "/home/u") == "/home/u/x/y");
  CHECK(absolute_posix_path(".", "/home/u") == "/home/u/.");
  CHECK(absolute_posix_path("..", "/home/u") == "/home/u/..");
  CHECK(absolute_posix_path("~bob/x", "/home/u") == "/home/u/~bob/x");
  CHECK(absolute_posix_path("x", "/") == "/x");
  CHECK(absolute_posix_path("~/x", "/") == "/x");
}

TEST_CASE("on Windows drives are understood in all their spellings", "[shell]") {
  for (const char* path : {"C:\\a\\b", "C:/a/b", "/c/a/b", "/C/a/b"}) {
    CAPTURE(path);
    CHECK(absolute_windows_path(path, "D:\\u") == "C:\\a\\b");
  }
  for (const char* path : {"C:\\", "C:/", "/c", "/c/", "C:"}) {
    CAPTURE(path);
    CHECK(absolute_windows_path(path, "D:\\u") == "C:\\");
  }
  CHECK(absolute_windows_path("\\\\server\\share\\x", "D:\\u") == "\\\\server\\share\\x");
  CHECK(absolute_windows_path("//server/share/x", "D:\\u") == "\\\\server\\share\\x");
}

TEST_CASE("on Windows a tilde, relative and driveless paths are taken from the home directory", "[shell]") {
  CHECK(absolute_windows_path("", "D:\\u") == "D:\\u");
  CHECK(absolute_windows_path("~", "D:\\u") == "D:\\u");
  CHECK(absolute_windows_path("~/x y/z", "D:\\u") == "D:\\u\\x y\\z");
  CHECK(absolute_windows_path("~\\x", "D:\\u") == "D:\\u\\x");
  CHECK(absolute_windows_path("~/", "D:\\u") == "D:\\u");
  CHECK(absolute_windows_path("x/y", "D:\\u") == "D:\\u\\x\\y");
  CHECK(absolute_windows_path("x", "D:\\") == "D:\\x");
  CHECK(absolute_windows_path("/tools/x", "D:\\u") == "D:\\tools\\x");
  CHECK(absolute_windows_path("\\tools", "D:\\u") == "D:\\tools");
}
