#include <algorithm>
#include <cowork_terminal/registration/surroundings.hpp>
#include <system_error>

namespace cowork_terminal::registration {

bool folder_exists(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::is_directory(folder, error);
}

std::vector<std::string> subfolders_of(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  while (!error && entry != std::filesystem::directory_iterator()) {
    if (folder_exists(entry->path())) names.push_back(utf8_from_path(entry->path().filename()));
    entry.increment(error);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::filesystem::path path_from_utf8(const std::string& text) {
  return std::filesystem::path(std::u8string(text.begin(), text.end()));
}

std::string utf8_from_path(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

}  // namespace cowork_terminal::registration
