#include "registration/config_file.hpp"

#include <string>

#include "support/catch.hpp"
#include "unit/registration/temporary_folder.hpp"

using namespace cowork_terminal::registration;

TEST_CASE("a file is written with a backup of what it held, and a new one without", "[registration][K127]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "new" / "deep" / "config.json";
  CHECK_FALSE(write_config_file(read_config_file(file), "one"));
  CHECK(read_text(file) == "one");
  CHECK(write_config_file(read_config_file(file), "two") == file.string() + ".bak");
  CHECK(read_text(file) == "two");
  CHECK(read_text(file.string() + ".bak") == "one");
  CHECK(files_in(file.parent_path()) == 2);
}

TEST_CASE("a backup is never overwritten, and none is made of what a backup holds already", "[registration]") {
  const TemporaryFolder folder;
  const auto file = folder / "config.json";
  write_text(file, "one");
  write_text(folder / "config.json.bak", "of somebody else");
  CHECK(write_config_file(read_config_file(file), "two") == file.string() + ".bak.2");
  CHECK(write_config_file(read_config_file(file), "one") == file.string() + ".bak.3");
  CHECK(write_config_file(read_config_file(file), "two") == file.string() + ".bak.2");
  CHECK(write_config_file(read_config_file(file), "one") == file.string() + ".bak.3");
  CHECK(read_text(folder / "config.json.bak") == "of somebody else");
  CHECK(read_backups(read_config_file(file)) == std::vector<std::string>{"two", "one", "of somebody else"});
}

TEST_CASE("a file that another program changed after it was read is not written", "[registration]") {
  const TemporaryFolder folder;
  const auto file = folder / "config.json";
  write_text(file, "one");
  const ConfigFile read = read_config_file(file);
  write_text(file, "changed");
  CHECK_THROWS_AS(write_config_file(read, "two"), FileError);
  CHECK(read_text(file) == "changed");
}

TEST_CASE("what is not a regular file, or leads through one, is refused with a remedy", "[registration]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "config.json");
  CHECK_THROWS_AS(read_config_file(folder / "config.json"), FileError);
  write_text(folder / "blocked", "a file");
  const auto below = folder.path() / "blocked" / "config.json";
  try {
    write_config_file(ConfigFile{below, std::nullopt}, "x");
    FAIL_CHECK("was written");
  } catch (const FileError& error) {
    const std::string text = error.what();
    CHECK(text.find(utf8_from_path(folder / "blocked")) == 0);
    CHECK(text.find("install --print") != std::string::npos);
  }
}

TEST_CASE("a file is deleted without leaving anything", "[registration]") {
  const TemporaryFolder folder;
  write_text(folder / "config.json", "x");
  delete_config_file(read_config_file(folder / "config.json"));
  CHECK(files_in(folder.path()) == 0);
}
