#include "support/person.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "support/pointers_to.hpp"

namespace cowork_terminal::testing {

namespace {

void open_as(int descriptor, const char* path, int flags) {
  const int opened = open(path, flags | O_CLOEXEC, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
}

}  // namespace

StartedProgram::StartedProgram(std::vector<std::string> argv, std::vector<std::string> environment,
                               const std::string& working_directory) {
  const auto words = pointers_to(argv);
  const auto variables = pointers_to(environment);
  const auto output = outputs_.file("stdout");
  const auto error = outputs_.file("stderr");
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no process");
  if (pid_ > 0) return;
  open_as(0, "/dev/null", O_RDONLY);
  open_as(1, output.c_str(), O_WRONLY | O_CREAT);
  open_as(2, error.c_str(), O_WRONLY | O_CREAT);
  if (chdir(working_directory.c_str()) != 0) _exit(126);
  execve(words[0], words.data(), variables.data());
  _exit(127);
}

StartedProgram::~StartedProgram() {
  if (has_ended()) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool StartedProgram::has_ended() {
  int status = 0;
  if (exit_code_ < 0 && waitpid(pid_, &status, WNOHANG) == pid_)
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_ >= 0;
}

ProgramEnd StartedProgram::wait(milliseconds patience) {
  if (!wait_until([this] { return has_ended(); }, patience))
    throw std::runtime_error("the program did not end in time");
  return {exit_code_, read_file(outputs_.file("stdout")), read_file(outputs_.file("stderr"))};
}

Person::Person() {
  for (const auto* name : {"home", "project", "bin"}) std::filesystem::create_directory(folder_.file(name));
}

std::vector<std::string> Person::environment(const std::vector<std::string>& more) const {
  std::vector<std::string> variables{"HOME=" + home(), "PATH=" + bin(), "SHELL=/bin/bash"};
  for (const auto& variable : more) {
    const auto name = variable.substr(0, variable.find('=') + 1);
    std::erase_if(variables, [&](const std::string& old) { return old.starts_with(name); });
    variables.push_back(variable);
  }
  return variables;
}

void Person::write(const std::string& path, std::string_view text) const {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

void Person::put_program(const std::string& name, const std::string& script) const {
  const auto path = bin() + "/" + name;
  write(path, "#!/bin/sh\n" + script);
  chmod(path.c_str(), 0755);
}

ProgramEnd Person::run(std::vector<std::string> arguments, const std::vector<std::string>& more) const {
  arguments.insert(arguments.begin(), program_path());
  return StartedProgram(std::move(arguments), environment(more), project()).wait();
}

std::vector<std::string> Person::everything() const {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path())) {
    if (!entry.is_regular_file()) continue;
    found.push_back(entry.path().string() + " " + std::to_string(entry.last_write_time().time_since_epoch().count()) +
                    " " + read_file(entry.path()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace cowork_terminal::testing
