#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "registration/config_file.hpp"
#include "registration/file_replacement.hpp"
#include "support/catch.hpp"
#include "unit/registration/temporary_folder.hpp"

using namespace cowork_terminal::registration;

namespace {

struct stat status_of(const std::filesystem::path& file) {
  struct stat status {};
  ::lstat(file.c_str(), &status);
  return status;
}

unsigned mode_of(const std::filesystem::path& file) { return status_of(file).st_mode & 0777U; }

}  // namespace

TEST_CASE("a new file is for the user alone, an old one keeps its mode, and so does its backup", "[registration]") {
  const TemporaryFolder folder;
  write_config_file(read_config_file(folder / "new"), "x");
  CHECK(mode_of(folder / "new") == 0600);
  write_text(folder / "old", "x");
  ::chmod((folder / "old").c_str(), 0640);
  write_config_file(read_config_file(folder / "old"), "y");
  CHECK(mode_of(folder / "old") == 0640);
  CHECK(mode_of(folder / "old.bak") == 0640);
}

TEST_CASE("a file of another owner keeps its owner, or is not written at all", "[registration]") {
  const TemporaryFolder folder;
  const auto file = folder / "config";
  write_text(file, "x");
  if (::geteuid() == 0) {
    REQUIRE(::chown(file.c_str(), 1234, 2345) == 0);
    write_config_file(read_config_file(file), "y");
    CHECK(status_of(file).st_uid == 1234);
    CHECK(status_of(file).st_gid == 2345);
    CHECK(status_of(folder / "config.bak").st_uid == 1234);
  } else {
    ::chmod(file.c_str(), 0400);
    CHECK_THROWS_AS(write_config_file(read_config_file(file), "y"), FileError);
    CHECK(read_text(file) == "x");
    CHECK(files_in(folder.path()) == 1);
  }
}

TEST_CASE("symbolic links stay links, and the file they lead to is written", "[registration]") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "dotfiles");
  std::filesystem::create_directories(folder / "home");
  write_text(folder.path() / "dotfiles" / "real", "x");
  std::filesystem::create_symlink("real", folder.path() / "dotfiles" / "link");
  std::filesystem::create_directory_symlink(folder / "dotfiles", folder.path() / "home" / "folder");
  std::filesystem::create_symlink("folder/link", folder.path() / "home" / "config");
  write_config_file(read_config_file(folder.path() / "home" / "config"), "y");
  CHECK(std::filesystem::is_symlink(folder.path() / "home" / "config"));
  CHECK(std::filesystem::is_symlink(folder.path() / "dotfiles" / "link"));
  CHECK(read_text(folder.path() / "dotfiles" / "real") == "y");
  CHECK(read_text(folder.path() / "dotfiles" / "real.bak") == "x");

  std::filesystem::create_symlink("nothing-yet", folder.path() / "home" / "dangling");
  write_config_file(read_config_file(folder.path() / "home" / "dangling"), "z");
  CHECK(read_text(folder.path() / "home" / "nothing-yet") == "z");

  std::filesystem::create_symlink("circle", folder.path() / "home" / "circle");
  CHECK_THROWS_AS(read_config_file(folder.path() / "home" / "circle"), FileError);
}

TEST_CASE("a write that fails leaves nothing behind", "[registration]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "target");
  write_text(folder.path() / "target" / "inside", "x");
  CHECK_THROWS_AS(replace_file(folder / "target", "y", folder / "target"), std::filesystem::filesystem_error);
  CHECK(files_in(folder.path()) == 0);
  CHECK(read_text(folder.path() / "target" / "inside") == "x");
}
