#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cowork_terminal::registration {

// A file that cannot be read or written. The text says which, why, and what to do about it.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ConfigFile {
  std::filesystem::path path;       // symbolic links followed
  std::optional<std::string> text;  // none: there is no such file
};

// All of these throw FileError.
ConfigFile read_config_file(const std::filesystem::path& path);

// Keeps what the file holds in a backup beside it, then writes `text` in one step; folders that lead to it are made. If
// the file has changed since it was read nothing is written. Returns the backup, none for a new file.
std::optional<std::filesystem::path> write_config_file(const ConfigFile& file, std::string_view text);

void delete_config_file(const ConfigFile& file);

// The texts of the backups of a file, the newest first.
std::vector<std::string> read_backups(const ConfigFile& file);

}  // namespace cowork_terminal::registration
