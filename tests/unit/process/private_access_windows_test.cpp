// clang-format off
#include <windows.h>
#include <aclapi.h>
#include <sddl.h>  // both need the types of the first
// clang-format on

#include <cowork_terminal/process/private_access.hpp>
#include <cowork_terminal/process/whole_output.hpp>
#include <cowork_terminal/process/windows_text.hpp>
#include <filesystem>
#include <string>

#include "process/script_file_windows.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
namespace fs = std::filesystem;

namespace {

// Who may do what, in the language of security descriptors.
std::wstring access_of(const fs::path& path) {
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const auto error = ::GetNamedSecurityInfoW(path.c_str(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, nullptr, nullptr,
                                             nullptr, nullptr, &descriptor);
  REQUIRE(error == ERROR_SUCCESS);
  wchar_t* text = nullptr;
  REQUIRE(::ConvertSecurityDescriptorToStringSecurityDescriptorW(descriptor, SDDL_REVISION_1, DACL_SECURITY_INFORMATION,
                                                                 &text, nullptr) != 0);
  const std::wstring access = text;
  ::LocalFree(text);
  ::LocalFree(descriptor);
  return access;
}

bool others_may_open(const fs::path& path) {
  const auto access = access_of(path);
  // Everyone, the users of this machine, those who are logged in.
  for (const auto* group : {L";WD)", L";BU)", L";AU)"}) {
    if (access.find(group) != std::wstring::npos) return true;
  }
  return access.find(L"(A;") == std::wstring::npos;
}

}  // namespace

TEST_CASE("nobody else may open scripts, nor the files of whole output", "[process][C-15]") {
  const ScriptFile script{"secret"};
  CHECK_FALSE(others_may_open(fs::path{to_utf16(script.path())}.parent_path()));
  OutputFolder folder;
  WholeOutput output(folder, "stderr", 0);
  output.append("secret");
  CHECK_FALSE(others_may_open(fs::path{to_utf16(output.file())}.parent_path()));
}

TEST_CASE("the check of access tells a folder that is open to all", "[process]") {
  const auto folder = fs::temp_directory_path() / L"cowork-test-open";
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  REQUIRE(::ConvertStringSecurityDescriptorToSecurityDescriptorW(L"D:P(A;OICI;FA;;;WD)", SDDL_REVISION_1, &descriptor,
                                                                 nullptr) != 0);
  SECURITY_ATTRIBUTES attributes{sizeof(SECURITY_ATTRIBUTES), descriptor, FALSE};
  REQUIRE(::CreateDirectoryW(folder.c_str(), &attributes) != 0);
  CHECK(others_may_open(folder));
  ::LocalFree(descriptor);
  fs::remove(folder);
}
