#include <windows.h>

#include <algorithm>
#include <cowork_terminal/process/environment.hpp>
#include <cowork_terminal/process/windows_text.hpp>
#include <utility>
#include <vector>

#include "process/environment_block_windows.hpp"
#include "process/variable_name.hpp"

namespace cowork_terminal::process {

namespace {

int compare_names(std::wstring_view left, std::wstring_view right) {
  return ::CompareStringOrdinal(left.data(), static_cast<int>(left.size()), right.data(),
                                static_cast<int>(right.size()), TRUE);
}

}  // namespace

bool same_variable_name(std::string_view left, std::string_view right) {
  return left == right || compare_names(to_utf16(left), to_utf16(right)) == CSTR_EQUAL;
}

Environment Environment::current() {
  Environment environment;
  wchar_t* const block = ::GetEnvironmentStringsW();
  if (block == nullptr) return environment;
  for (const wchar_t* entry = block; *entry != L'\0';) {
    const std::wstring_view text{entry};
    entry += text.size() + 1;
    // "=C:=C:\folder" is how the command interpreter remembers the folder of each drive.
    const auto equals = text.find(L'=', 1);
    if (text.front() == L'=' || equals == std::wstring_view::npos) continue;
    environment.set(to_utf8(text.substr(0, equals)), to_utf8(text.substr(equals + 1)));
  }
  ::FreeEnvironmentStringsW(block);
  return environment;
}

std::wstring environment_block(const Environment& environment) {
  std::vector<std::pair<std::wstring, std::wstring>> variables;
  for (const auto& [name, value] : environment.variables()) variables.emplace_back(to_utf16(name), to_utf16(value));
  std::sort(variables.begin(), variables.end(), [](const auto& left, const auto& right) {
    return compare_names(left.first, right.first) == CSTR_LESS_THAN;
  });
  std::wstring block;
  for (const auto& [name, value] : variables) block += name + L'=' + value + L'\0';
  // The end of the block; an empty one is two NULs.
  block.append(variables.empty() ? 2 : 1, L'\0');
  return block;
}

}  // namespace cowork_terminal::process
