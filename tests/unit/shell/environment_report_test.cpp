#include "shell/environment_report.hpp"

#include <string>

#include "support/catch.hpp"

using namespace cowork_terminal::shell;

namespace {

using namespace std::string_literals;

constexpr const char* mark = "0123456789abcdef0123456789abcdef";

}  // namespace

TEST_CASE("the environment is found between its marks, whatever is printed around it", "[shell][K38]") {
  const auto environment = parse_report(
      "Welcome!\nPATH=/wrong\n"s + mark + "PATH=/a:/b\0MULTI=one\ntwo=2\0EMPTY=\0"s + mark + "bye\n", mark);
  REQUIRE(environment);
  CHECK(environment->get("PATH") == "/a:/b");
  CHECK(environment->get("MULTI") == "one\ntwo=2");
  CHECK(environment->get("EMPTY") == "");
  CHECK(environment->variables().size() == 3);
}

TEST_CASE("an env without -0 is understood line by line", "[shell]") {
  const auto environment = parse_report(mark + "PATH=/a\nMULTI=one\nstill one\nHOME=/h\n"s + mark, mark);
  REQUIRE(environment);
  CHECK(environment->get("PATH") == "/a");
  CHECK(environment->get("MULTI") == "one");
  CHECK(environment->get("HOME") == "/h");
}

TEST_CASE("a report that is not whole is none", "[shell]") {
  CHECK_FALSE(parse_report("", mark));
  CHECK_FALSE(parse_report("PATH=/a", mark));
  CHECK_FALSE(parse_report(mark + "PATH=/a\0HO"s, mark));
  CHECK_FALSE(parse_report(mark + ""s + mark, mark));
}

TEST_CASE("repaired bytes, functions and nonsense are left out of a report", "[shell]") {
  const auto environment =
      parse_report(mark + "A=\xef\xbf\xbd\0B=b\0BASH_FUNC_f%%=() { :; }\0=x\0NOEQUALS\0 C=c\0"s + mark, mark);
  REQUIRE(environment);
  CHECK(environment->variables().size() == 1);
  CHECK(environment->get("B") == "b");
}

TEST_CASE("marks differ each time and never stand in the command as they are printed", "[shell]") {
  const auto first = new_report_mark();
  CHECK(first.size() == 32);
  CHECK(first != new_report_mark());
  for (const char* shell : {"/bin/bash", "/bin/zsh", "/usr/bin/fish", "/bin/tcsh"}) {
    for (const auto& argument : report_command(shell, ShellStart::interactive_login, first)) {
      CHECK(argument.find(first) == std::string::npos);
    }
  }
}

TEST_CASE("shells are started as interactive login shells where they allow it", "[shell]") {
  CHECK(report_command("/bin/zsh", ShellStart::interactive_login, mark).size() == 5);
  CHECK(report_command("/bin/zsh", ShellStart::interactive_login, mark)[1] == "-l");
  CHECK(report_command("/bin/zsh", ShellStart::interactive_login, mark)[2] == "-i");
  CHECK(report_command("/bin/zsh", ShellStart::login, mark)[2] == "-c");
  CHECK(report_command("/bin/tcsh", ShellStart::interactive_login, mark)[1] == "-c");
}
