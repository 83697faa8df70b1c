#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/server_process.hpp"

namespace cowork_terminal::testing {

struct ProgramEnd {
  int exit_code;  // or 128 + signal
  std::string standard_output;
  std::string standard_error;
};

// A program with stdin from the null device. Killed in the destructor.
class StartedProgram {
 public:
  // `environment` is all that it gets, NAME=VALUE each.
  StartedProgram(std::vector<std::string> argv, std::vector<std::string> environment,
                 const std::string& working_directory);
  ~StartedProgram();
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  bool has_ended();
  // Throws if it does not end in time.
  ProgramEnd wait(milliseconds patience = milliseconds(60'000));

 private:
  TemporaryFolder outputs_;
  pid_t pid_ = -1;
  int exit_code_ = -1;
};

// Somebody at a machine of their own, who runs the product by hand: a home, a project folder where they stand, and a
// PATH with nothing in it but what tests put there. Nothing of the tester's is seen or touched.
class Person {
 public:
  Person();

  [[nodiscard]] std::string home() const { return folder_.file("home"); }
  [[nodiscard]] std::string project() const { return folder_.file("project"); }
  [[nodiscard]] std::string bin() const { return folder_.file("bin"); }
  // The environment with more variables, NAME=VALUE each.
  [[nodiscard]] std::vector<std::string> environment(const std::vector<std::string>& more = {}) const;

  // Makes the folders, too.
  void write(const std::string& path, std::string_view text) const;
  // An executable shell script in the PATH.
  void put_program(const std::string& name, const std::string& script) const;

  [[nodiscard]] ProgramEnd run(std::vector<std::string> arguments, const std::vector<std::string>& more = {}) const;

  // Everything there is in home and project: paths, times of change and contents.
  [[nodiscard]] std::vector<std::string> everything() const;

 private:
  TemporaryFolder folder_;
};

bool contains(std::string_view text, std::string_view part);

}  // namespace cowork_terminal::testing
