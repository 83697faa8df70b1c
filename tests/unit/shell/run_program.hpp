#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

extern char** environ;

namespace cowork_terminal::shell {

struct ProgramResult {
  int exit_code = -1;  // 128 + n after signal n
  std::string standard_output;
  std::string standard_error;
};

// Runs argv[0] with null stdin to its end. For POSIX tests.
inline ProgramResult run_program(std::vector<std::string> argv) {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  const std::string err = folder.path("err");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  std::vector<char*> pointers;
  for (auto& argument : argv) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, argv[0].c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {-error, {}, {}};
  int status = 0;
  ::waitpid(pid, &status, 0);
  const auto text = [](const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text(out), text(err)};
}

}  // namespace cowork_terminal::shell
