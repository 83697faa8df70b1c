#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cowork_terminal::registration {

enum class Platform { gnu_linux, macos, windows };

Platform this_platform();

bool folder_exists(const std::filesystem::path& folder);
// The names of the folders in `folder`, sorted; none if it cannot be read.
std::vector<std::string> subfolders_of(const std::filesystem::path& folder);

struct ProgramOutcome {
  int exit_code = 0;   // not 0 also when the program could not be started
  std::string output;  // both streams
};

// What registration knows of the machine and the person. All strings are UTF-8 (POSIX: bytes).
struct Surroundings {
  Platform platform = this_platform();
  std::function<std::optional<std::string>(std::string_view name)> environment;  // never empty
  std::string home;                                                              // absolute (contract C-18a)
  std::string working_directory;                                                 // absolute
  std::function<bool(const std::filesystem::path&)> folder_exists = registration::folder_exists;
  std::function<std::vector<std::string>(const std::filesystem::path&)> subfolders = registration::subfolders_of;
  // The absolute path of a program that PATH leads to. Without these two no client's own program is used.
  std::function<std::optional<std::string>(std::string_view name)> find_program;
  std::function<ProgramOutcome(const std::vector<std::string>& argv)> run_program;
};

// Paths of the standard library from UTF-8 and back, the same on every system.
std::filesystem::path path_from_utf8(const std::string& text);
std::string utf8_from_path(const std::filesystem::path& path);

}  // namespace cowork_terminal::registration
