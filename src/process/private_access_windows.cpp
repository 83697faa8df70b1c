// clang-format off
#include <windows.h>
#include <sddl.h>  // needs the types of the first
// clang-format on

#include <cowork_terminal/process/private_access.hpp>
#include <string>

#include "process/unique_handle_windows.hpp"

namespace cowork_terminal::process {

namespace {

// In the language of security descriptors; empty if the user is not known.
std::wstring access_for_this_user() {
  HANDLE opened = nullptr;
  if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &opened) == 0) return {};
  const UniqueHandle token{opened};
  alignas(TOKEN_USER) char user[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
  DWORD size = 0;
  if (::GetTokenInformation(token.get(), TokenUser, user, sizeof user, &size) == 0) return {};
  wchar_t* sid = nullptr;
  if (::ConvertSidToStringSidW(reinterpret_cast<TOKEN_USER*>(user)->User.Sid, &sid) == 0) return {};
  const std::wstring name = sid;
  ::LocalFree(sid);
  return L"D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;" + name + L')';
}

}  // namespace

PrivateAccess::PrivateAccess() {
  attributes_.nLength = sizeof attributes_;
  const std::wstring access = access_for_this_user();
  if (access.empty()) return;
  ::ConvertStringSecurityDescriptorToSecurityDescriptorW(access.c_str(), SDDL_REVISION_1,
                                                         &attributes_.lpSecurityDescriptor, nullptr);
}

PrivateAccess::~PrivateAccess() { ::LocalFree(attributes_.lpSecurityDescriptor); }

}  // namespace cowork_terminal::process
