#include "registration/config_file.hpp"

#include <algorithm>
#include <cowork_terminal/registration/surroundings.hpp>
#include <fstream>
#include <iterator>
#include <system_error>

#include "registration/file_replacement.hpp"

namespace cowork_terminal::registration {
namespace {

using std::filesystem::path;

std::string shown(const path& file) { return utf8_from_path(file); }

[[noreturn]] void fail(const path& file, const std::string& reason, const std::string& remedy) {
  throw FileError(shown(file) + ": " + reason + "; " + remedy);
}

[[noreturn]] void fail_to_write(const path& file, const std::string& reason) {
  fail(file, reason, "allow yourself to write there, or put the entry in by hand (`install --print` shows it)");
}

path with_plain_folder(const path& file) {
  std::error_code error;
  const path folder = std::filesystem::canonical(file.parent_path(), error);
  return error ? file : folder / file.filename();
}

path follow_links(path file) {
  for (int links = 0; links < 40; ++links) {
    std::error_code error;
    if (!std::filesystem::is_symlink(file, error)) return links == 0 ? file : with_plain_folder(file);
    const path target = std::filesystem::read_symlink(file, error);
    if (error) fail(file, error.message(), "repair this symbolic link");
    file = file.parent_path() / target;
  }
  fail(file, "the symbolic links go in a circle", "repair them");
}

std::optional<std::string> read_text(const path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return std::nullopt;
  if (!std::filesystem::is_regular_file(status)) {
    fail(file, error ? error.message() : "this is not a regular file", "put a readable file there, or nothing");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream.is_open() || stream.bad()) fail(file, "it cannot be read", "allow yourself to read it");
  return text;
}

path backup_path(const path& file, int number) {
  path backup = file;
  backup += number == 1 ? ".bak" : ".bak." + std::to_string(number);
  return backup;
}

constexpr int most_backups = 1000;

// Never overwrites a backup; one that holds this text already will do.
path keep_backup(const ConfigFile& file) {
  for (int number = 1; number < most_backups; ++number) {
    const path backup = backup_path(file.path, number);
    std::error_code error;
    if (std::filesystem::symlink_status(backup, error).type() == std::filesystem::file_type::not_found) {
      replace_file(backup, *file.text, file.path);
      return backup;
    }
    if (std::filesystem::is_regular_file(backup, error) && read_text(backup) == file.text) return backup;
  }
  fail_to_write(backup_path(file.path, most_backups), "there are too many backups");
}

}  // namespace

ConfigFile read_config_file(const path& file) {
  ConfigFile result;
  result.path = follow_links(file);
  result.text = read_text(result.path);
  return result;
}

std::optional<path> write_config_file(const ConfigFile& file, std::string_view text) {
  try {
    if (file.path.has_parent_path()) std::filesystem::create_directories(file.path.parent_path());
    require_writable(file.path);
    std::optional<path> backup;
    if (file.text) backup = keep_backup(file);
    if (read_text(file.path) != file.text) {
      fail(file.path, "it was changed by another program just now", "try again");
    }
    replace_file(file.path, text, file.path);
    return backup;
  } catch (const std::filesystem::filesystem_error& error) {
    fail_to_write(error.path1().empty() ? file.path : error.path1(), error.code().message());
  }
}

void delete_config_file(const ConfigFile& file) {
  std::error_code error;
  std::filesystem::remove(file.path, error);
  if (error) fail_to_write(file.path, error.message());
}

std::vector<std::string> read_backups(const ConfigFile& file) {
  std::vector<std::string> texts;
  for (int number = 1; number < most_backups; ++number) {
    const path backup = backup_path(file.path, number);
    std::error_code error;
    if (!std::filesystem::is_regular_file(backup, error)) break;
    if (auto text = read_text(backup)) texts.push_back(std::move(*text));
  }
  std::reverse(texts.begin(), texts.end());
  return texts;
}

}  // namespace cowork_terminal::registration
