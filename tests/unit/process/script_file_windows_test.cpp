#include "process/script_file_windows.hpp"

#include <cowork_terminal/process/windows_text.hpp>
#include <filesystem>
#include <optional>

#include "process/script_folder_windows.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;

namespace {

std::string read(const std::string& path) {
  const UniqueHandle file{::CreateFileW(to_utf16(path).c_str(), GENERIC_READ,
                                        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                                        0, nullptr)};
  REQUIRE(file);
  std::string bytes(100'000, '\0');
  DWORD size = 0;
  ::ReadFile(file.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &size, nullptr);
  bytes.resize(size);
  return bytes;
}

bool exists(const std::wstring& path) { return ::GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES; }

}  // namespace

TEST_CASE("a script file holds the command byte by byte", "[process][C-15]") {
  std::string bytes = "echo 'a\"b' \\\\ * ? [x] $y `z`\r\n\tend of it\n\n";
  for (int c = 1; c < 256; ++c) bytes += static_cast<char>(c);
  const ScriptFile script{bytes};
  CHECK(script.path().find('\\') == std::string::npos);
  CHECK(script.path().substr(1, 2) == ":/");
  CHECK(read(script.path()) == bytes);
}

TEST_CASE("a script file goes with its object, and the folder with the last of them", "[process][C-15]") {
  std::optional<ScriptFile> first{"one"};
  std::optional<ScriptFile> second{"two"};
  const auto path = to_utf16(first->path());
  REQUIRE(exists(path));
  first.reset();
  CHECK_FALSE(exists(path));
  CHECK(exists(script_folder()));
  second.reset();
  CHECK_FALSE(exists(script_folder()));
}

TEST_CASE("what a server left behind long ago is swept away, what is fresh stays", "[process]") {
  namespace fs = std::filesystem;
  const fs::path parent = fs::path{script_folder()}.parent_path();
  const auto make = [&](const wchar_t* name, std::chrono::hours age) {
    const fs::path folder = parent / name;
    fs::create_directory(folder);
    ::CloseHandle(::CreateFileW((folder / L"1").c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, 0, nullptr));
    fs::last_write_time(folder / L"1", fs::file_time_type::clock::now() - age);
    return folder;
  };
  const auto old = make(L"cowork-terminal-script-test-old", std::chrono::hours{2});
  const auto fresh = make(L"cowork-terminal-script-test-fresh", std::chrono::hours{0});
  sweep_old_script_folders();
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(fresh / L"1"));
  fs::remove_all(fresh);
}
