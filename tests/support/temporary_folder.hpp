#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace cowork_terminal {

// A fresh folder, gone with the object. Paths are UTF-8.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::random_device random;
    path_ = std::filesystem::canonical(std::filesystem::temp_directory_path()) /
            ("cowork-terminal-test-" + std::to_string(random()) + "-" + std::to_string(random()));
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string path() const { return text(path_); }
  [[nodiscard]] std::string path(const std::string& name) const { return text(native(name)); }

  void make_folder(const std::string& name) const { std::filesystem::create_directories(native(name)); }
  void make_link(const std::string& name, const std::string& target) const {
    std::filesystem::create_symlink(target, native(name));
  }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(native(name).parent_path());
    std::ofstream(native(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  [[nodiscard]] std::filesystem::path native(const std::string& name) const {
    return path_ / std::filesystem::path(std::u8string(name.begin(), name.end())).make_preferred();
  }
  static std::string text(const std::filesystem::path& path) {
    const std::u8string bytes = path.u8string();
    return {bytes.begin(), bytes.end()};
  }

  std::filesystem::path path_;
};

inline std::string bytes_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace cowork_terminal
