#include "process/windows_exit_code.hpp"

#include "support/catch.hpp"

using namespace cowork_terminal::process;

TEST_CASE("Windows exit codes up to 255 are exit codes", "[process][C-20a]") {
  for (const std::uint32_t code : {0U, 1U, 127U, 255U}) {
    const auto end = windows_ending(code);
    REQUIRE(std::holds_alternative<Exited>(end.ending));
    CHECK(std::get<Exited>(end.ending).code == static_cast<int>(code));
    CHECK(end.note.empty());
  }
}

TEST_CASE("multiples of 256 up to 64 are deaths by a signal", "[process][C-20a]") {
  for (const int signal : {1, 9, 15, 64}) {
    const auto end = windows_ending(windows_exit_code_of_signal(signal));
    REQUIRE(std::holds_alternative<Signaled>(end.ending));
    CHECK(std::get<Signaled>(end.ending).signal == signal);
    CHECK(end.note.empty());
  }
}

TEST_CASE("every other Windows exit code is given as 255 with a note that holds it", "[process][C-20a]") {
  for (const auto& [code, hexadecimal] : {std::pair{0xC0000005U, "0xC0000005"}, std::pair{256U * 65U, "0x00004100"},
                                          std::pair{257U, "0x00000101"}, std::pair{259U, "0x00000103"}}) {
    const auto end = windows_ending(code);
    REQUIRE(std::holds_alternative<Exited>(end.ending));
    CHECK(std::get<Exited>(end.ending).code == 255);
    CHECK(end.note.find(hexadecimal) != std::string::npos);
  }
}
