#include "process/script_folder_windows.hpp"

#include <windows.h>

#include <cowork_terminal/process/private_access.hpp>
#include <cstdint>
#include <random>
#include <vector>

namespace cowork_terminal::process {

namespace {

constexpr wchar_t name_prefix[] = L"cowork-terminal-script-";

std::wstring temporary_folder() {
  std::wstring path(MAX_PATH + 2, L'\0');
  path.resize(::GetTempPathW(static_cast<DWORD>(path.size()), path.data()));
  return path;
}

std::wstring random_name() {
  std::random_device random;
  std::wstring name;
  for (int i = 0; i < 4; ++i) name += std::to_wstring(random());
  return name;
}

std::uint64_t ticks(const FILETIME& time) {
  return (static_cast<std::uint64_t>(time.dwHighDateTime) << 32) | time.dwLowDateTime;
}

bool is_an_hour_old(const FILETIME& written) {
  FILETIME now;
  ::GetSystemTimeAsFileTime(&now);
  constexpr std::uint64_t hour = 3'600ULL * 10'000'000ULL;  // in units of 100 ns
  return ticks(now) > ticks(written) + hour;
}

template <typename Visit>
void for_each_file(const std::wstring& pattern, Visit visit) {
  WIN32_FIND_DATAW found;
  const HANDLE search = ::FindFirstFileW(pattern.c_str(), &found);
  if (search == INVALID_HANDLE_VALUE) return;
  do {
    visit(found);
  } while (::FindNextFileW(search, &found) != 0);
  ::FindClose(search);
}

}  // namespace

const std::wstring& script_folder() {
  static const std::wstring folder = temporary_folder() + name_prefix + random_name();
  return folder;
}

unsigned long create_script_folder() {
  PrivateAccess access;
  return ::CreateDirectoryW(script_folder().c_str(), access.attributes()) != 0 ? 0 : ::GetLastError();
}

void remove_script_folder() { ::RemoveDirectoryW(script_folder().c_str()); }

void sweep_old_script_folders() {
  const std::wstring parent = temporary_folder();
  std::vector<std::wstring> folders;
  for_each_file(parent + name_prefix + L'*', [&](const WIN32_FIND_DATAW& found) {
    if ((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) folders.push_back(parent + found.cFileName);
  });
  for (const auto& folder : folders) {
    for_each_file(folder + L"\\*", [&](const WIN32_FIND_DATAW& found) {
      // An hour after its start no bash opens its script any more; one that still reads it keeps what it has open.
      if (is_an_hour_old(found.ftLastWriteTime)) ::DeleteFileW((folder + L'\\' + found.cFileName).c_str());
    });
    ::RemoveDirectoryW(folder.c_str());
  }
}

}  // namespace cowork_terminal::process
