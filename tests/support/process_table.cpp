#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/server_process.hpp"

// What the tests know of other processes, from /proc.

namespace cowork_terminal::testing {

namespace {

struct Status {
  char state = '?';
  pid_t parent = 0;
};

Status status_of(pid_t process) {
  const auto text = read_file("/proc/" + std::to_string(process) + "/stat");
  const auto after_name = text.rfind(')');
  if (after_name == std::string::npos) return {};
  Status status;
  std::istringstream(text.substr(after_name + 1)) >> status.state >> status.parent;
  return status;
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> found;
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return found;
  while (const dirent* entry = readdir(folder)) {
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) != 0) found.push_back(std::atoi(entry->d_name));
  }
  closedir(folder);
  return found;
}

std::size_t status_kib(pid_t process, const std::string& name) {
  std::istringstream lines(read_file("/proc/" + std::to_string(process) + "/status"));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(name + ":", 0) == 0) return std::stoul(line.substr(name.size() + 1));
  }
  throw std::runtime_error("no " + name + " of process " + std::to_string(process));
}

}  // namespace

std::string read_file(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  // A process that ends while its file is read makes a read fail; the iterators of a stream would throw for that.
  text << file.rdbuf();
  return text.str();
}

std::vector<pid_t> processes_with(std::string_view token) {
  std::vector<pid_t> found;
  for (const pid_t process : all_processes()) {
    if (process == getpid()) continue;
    const auto line = read_file("/proc/" + std::to_string(process) + "/cmdline");
    if (line.find(token) != std::string::npos && status_of(process).state != 'Z') found.push_back(process);
  }
  return found;
}

std::vector<pid_t> zombies_of(pid_t parent) {
  std::vector<pid_t> found;
  for (const pid_t process : all_processes()) {
    const auto status = status_of(process);
    if (status.parent == parent && status.state == 'Z') found.push_back(process);
  }
  return found;
}

std::size_t open_descriptors(pid_t process) {
  const std::filesystem::directory_iterator entries("/proc/" + std::to_string(process) + "/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

std::size_t resident_kib(pid_t process) { return status_kib(process, "VmRSS"); }

std::size_t peak_resident_kib(pid_t process) { return status_kib(process, "VmHWM"); }

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "cowork-terminal-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace cowork_terminal::testing
