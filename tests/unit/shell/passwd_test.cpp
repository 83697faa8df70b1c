#include "shell/passwd.hpp"

#include "support/catch.hpp"

using cowork_terminal::shell::find_passwd_entry;

namespace {

constexpr const char* passwd =
    "root:x:0:0:root:/root:/bin/bash\n"
    "# a comment\n"
    "\n"
    "broken:x:1000:1000:/home/broken\n"
    "nis:x:1000x:1000::/home/nis:/bin/sh\n"
    "ann:x:1000:1000:Ann Example,,,:/home/ann:/usr/bin/zsh\n"
    "second:x:1000:1000::/home/second:/bin/sh\n"
    "noshell:x:1001:1001::/home/noshell:\n"
    "last:x:4294967294:1::/home/last:/bin/fish";

}  // namespace

TEST_CASE("the first whole line of /etc/passwd with our uid counts", "[shell][C-18a]") {
  const auto ann = find_passwd_entry(passwd, 1000);
  REQUIRE(ann);
  CHECK(ann->home == "/home/ann");
  CHECK(ann->shell == "/usr/bin/zsh");
  CHECK(find_passwd_entry(passwd, 0)->shell == "/bin/bash");
}

TEST_CASE("a last line without its newline and an empty shell are understood", "[shell][C-18a]") {
  CHECK(find_passwd_entry(passwd, 4294967294)->home == "/home/last");
  CHECK(find_passwd_entry(passwd, 4294967294)->shell == "/bin/fish");
  CHECK(find_passwd_entry(passwd, 1001)->shell.empty());
}

TEST_CASE("a uid without a line has no entry", "[shell][C-18a]") {
  CHECK_FALSE(find_passwd_entry(passwd, 7));
  CHECK_FALSE(find_passwd_entry("", 0));
  CHECK_FALSE(find_passwd_entry("\n:::\n", 0));
}
