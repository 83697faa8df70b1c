#pragma once

#include <atomic>
#include <cowork_terminal/registration/surroundings.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace cowork_terminal::registration {

// A folder for one test, gone with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> count{0};
    static const unsigned run = std::random_device()();
    path_ = std::filesystem::temp_directory_path() /
            ("registration-test-" + std::to_string(run) + "-" + std::to_string(++count));
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline int files_in(const std::filesystem::path& folder) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.is_directory() ? 0 : 1;
  return files;
}

// A machine whose home and working folder are in `folder` and whose environment is empty.
inline Surroundings surroundings_in(const TemporaryFolder& folder, Platform platform) {
  Surroundings surroundings;
  surroundings.platform = platform;
  surroundings.environment = [](std::string_view) { return std::nullopt; };
  surroundings.home = utf8_from_path(folder / "home");
  surroundings.working_directory = utf8_from_path(folder / "project");
  return surroundings;
}

}  // namespace cowork_terminal::registration
