#pragma once

// Windows only: text on its way to and from the system.

#include <cstdint>
#include <string>
#include <string_view>

namespace cowork_terminal::process {

// What is ill-formed becomes U+FFFD, in both directions.
std::wstring to_utf16(std::string_view utf8);
std::string to_utf8(std::wstring_view utf16);

// The system's English sentence for an error of GetLastError() with its number, e.g. "Access is denied (error 5)".
std::string describe_windows_error(std::uint32_t error);

}  // namespace cowork_terminal::process
