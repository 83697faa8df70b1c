#include <windows.h>

#include <cowork_terminal/process/windows_text.hpp>
#include <stdexcept>

namespace cowork_terminal::process {

namespace {

int checked_length(std::size_t size) {
  if (size > 0x7FFF'FFFF) throw std::length_error("text beyond 2 GiB");
  return static_cast<int>(size);
}

}  // namespace

std::wstring to_utf16(std::string_view utf8) {
  if (utf8.empty()) return {};
  const int length = checked_length(utf8.size());
  const int needed = ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), length, nullptr, 0);
  std::wstring text(static_cast<std::size_t>(needed), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), length, text.data(), needed);
  return text;
}

std::string to_utf8(std::wstring_view utf16) {
  if (utf16.empty()) return {};
  const int length = checked_length(utf16.size());
  const int needed = ::WideCharToMultiByte(CP_UTF8, 0, utf16.data(), length, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<std::size_t>(needed), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, utf16.data(), length, text.data(), needed, nullptr, nullptr);
  return text;
}

std::string describe_windows_error(std::uint32_t error) {
  constexpr DWORD flags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK;
  constexpr DWORD english = MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US);
  constexpr DWORD users = MAKELANGID(LANG_NEUTRAL, SUBLANG_DEFAULT);
  wchar_t buffer[512];
  DWORD length = 0;
  // English where the system has it, as everything else that we say; else the language of the user.
  for (const DWORD language : {english, users}) {
    length = ::FormatMessageW(flags, nullptr, error, language, buffer, 512, nullptr);
    if (length != 0) break;
  }
  std::string text = to_utf8({buffer, length});
  text.erase(text.find_last_not_of(" .\r\n") + 1);
  if (text.empty()) return "error " + std::to_string(error);
  return text + " (error " + std::to_string(error) + ")";
}

}  // namespace cowork_terminal::process
