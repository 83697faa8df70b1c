#include "process/windows_exit_code.hpp"

#include <string_view>

namespace cowork_terminal::process {

namespace {

std::string hexadecimal(std::uint32_t value) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += digits[(value >> shift) & 0xF];
  return text;
}

}  // namespace

WindowsEnding windows_ending(std::uint32_t code) {
  constexpr std::uint32_t last_signal = 64;
  if (code <= 255) return {Exited{static_cast<int>(code)}, {}};
  if (code % 256 == 0 && code / 256 <= last_signal) return {Signaled{static_cast<int>(code / 256)}, {}};
  return {Exited{255}, "bash ended with the Windows exit code " + hexadecimal(code) + ", given as 255."};
}

}  // namespace cowork_terminal::process
