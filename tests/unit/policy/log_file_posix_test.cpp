#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "policy/log_file.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace cowork_terminal;
using cowork_terminal::policy::append_to_log;

namespace {

using namespace std::chrono_literals;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

bool has(const std::optional<std::string>& text, const char* part) {
  return text && text->find(part) != std::string::npos;
}

// Runs `task` in processes of their own, all at once; their exit codes are added up.
template <class Task>
int in_processes(int count, Task task) {
  std::vector<pid_t> children;
  for (int number = 0; number < count; ++number) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(task(number));
    children.push_back(child);
  }
  int sum = 0;
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    sum += WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  return sum;
}

}  // namespace

TEST_CASE("the log is readable by its user alone, whatever the umask and whatever it was", "[policy][K123]") {
  const TemporaryFolder folder;
  const mode_t before = ::umask(0);
  CHECK_FALSE(append_to_log(folder.path("a/b/log"), "x\n"));
  ::umask(before);
  CHECK(mode_of(folder.path("a/b/log")) == 0600);
  CHECK(mode_of(folder.path("a/b")) == 0700);
  CHECK(mode_of(folder.path("a")) == 0700);

  REQUIRE(::chmod(folder.path("a/b/log").c_str(), 0644) == 0);
  CHECK_FALSE(append_to_log(folder.path("a/b/log"), "x\n"));
  CHECK(mode_of(folder.path("a/b/log")) == 0600);
}

TEST_CASE("the program's own folder is closed to others, one of the user's is left as it is", "[policy]") {
  const TemporaryFolder folder;
  for (const char* name : {"cowork-terminal-mcp", "mine"}) {
    folder.make_folder(name);
    REQUIRE(::chmod(folder.path(name).c_str(), 0755) == 0);
    CHECK_FALSE(append_to_log(folder.path(name) + "/log", "x\n"));
  }
  CHECK(mode_of(folder.path("cowork-terminal-mcp")) == 0700);
  CHECK(mode_of(folder.path("mine")) == 0755);
}

TEST_CASE("the log is never written through a link", "[policy]") {
  const TemporaryFolder folder;
  folder.write("precious", "safe");
  folder.make_folder("real");
  folder.make_link("link.jsonl", folder.path("precious"));
  folder.make_link("dangling.jsonl", folder.path("made-by-link"));
  folder.make_link("folder", folder.path("real"));
  CHECK(has(append_to_log(folder.path("link.jsonl"), "x\n"), "symbolic link"));
  CHECK(has(append_to_log(folder.path("dangling.jsonl"), "x\n"), "symbolic link"));
  CHECK(has(append_to_log(folder.path("folder") + "/log", "x\n"), "symbolic link"));
  REQUIRE(::link(folder.path("precious").c_str(), folder.path("hard.jsonl").c_str()) == 0);
  CHECK(has(append_to_log(folder.path("hard.jsonl"), "x\n"), "hard link"));
  CHECK(bytes_of(folder.path("precious")) == "safe");
  CHECK_FALSE(std::ifstream(folder.path("made-by-link")));
  CHECK_FALSE(std::ifstream(folder.path("real/log")));
}

TEST_CASE("rotation replaces links, it does not follow them", "[policy]") {
  const TemporaryFolder folder;
  folder.write("precious", "safe");
  folder.make_link("log.1", folder.path("precious"));
  CHECK_FALSE(append_to_log(folder.path("log"), "1\n", {2, 3}));
  CHECK_FALSE(append_to_log(folder.path("log"), "2\n", {2, 3}));
  CHECK(bytes_of(folder.path("precious")) == "safe");
  CHECK(bytes_of(folder.path("log.1")) == "1\n");
}

TEST_CASE("what is no regular file of ours is refused, and blocks nobody", "[policy]") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo(folder.path("fifo").c_str(), 0600) == 0);
  CHECK(append_to_log(folder.path("fifo"), "x\n"));
  CHECK(append_to_log("/dev/null", "x\n"));
  folder.make_folder("open");
  REQUIRE(::chmod(folder.path("open").c_str(), 0777) == 0);
  CHECK(has(append_to_log(folder.path("open") + "/log", "x\n"), "every user"));
}

TEST_CASE("a file or folder of another user is refused", "[policy]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a/log", "");
  folder.make_folder("b");
  if (::chown(file.c_str(), 12'345, 12'345) != 0 || ::chown(folder.path("b").c_str(), 12'345, 12'345) != 0) {
    WARN("not tried, only root can give files away");
    return;
  }
  CHECK(has(append_to_log(file, "x\n"), "another user"));
  CHECK(has(append_to_log(folder.path("b") + "/log", "x\n"), "another user"));
}

TEST_CASE("a line that does not fit the disk leaves no half of itself", "[policy][K123]") {
  const TemporaryFolder folder;
  const std::string file = folder.path("log");
  const int failed = in_processes(1, [&](int) {
    // A full disk that anybody can have.
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    if (append_to_log(file, std::string(79, 'a') + "\n")) return 2;
    return append_to_log(file, std::string(79, 'b') + "\n") ? 0 : 3;
  });
  CHECK(failed == 0);
  CHECK(bytes_of(file) == std::string(79, 'a') + "\n");
}

TEST_CASE("a server that was stopped while it held the lock does not stop the others", "[policy]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("log", "");
  const int held = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  REQUIRE(::flock(held, LOCK_EX) == 0);
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(append_to_log(file, "x\n", {1, 3}));
  CHECK(std::chrono::steady_clock::now() - start < 2s);
  ::close(held);
  CHECK(bytes_of(file) == "x\n");
}

TEST_CASE("four servers at once tear and lose no line, through all rotations", "[policy]") {
  constexpr int servers = 4;
  constexpr int lines = 2'500;
  const TemporaryFolder folder;
  const std::string file = folder.path("log");
  const auto line = [](int server, int number) {
    const std::string filling(static_cast<std::size_t>(number % 100), 'x');
    return nlohmann::json{{"server", server}, {"number", number}, {"filling", filling}}.dump() + "\n";
  };
  // Room for all of it in the file and the three kept, so that nothing may be missing.
  std::uint64_t size = 0;
  for (int number = 0; number < lines; ++number) size += line(0, number).size();
  const policy::Rotation rotation{size * servers * 3 / 10, 3};

  const int failed = in_processes(servers, [&](int server) {
    for (int number = 0; number < lines; ++number) {
      if (append_to_log(file, line(server, number), rotation)) return 1;
    }
    return 0;
  });
  CHECK(failed == 0);

  std::set<std::pair<int, int>> seen;
  for (const char* suffix : {"", ".1", ".2", ".3"}) {
    std::ifstream stream(file + suffix, std::ios::binary);
    REQUIRE(stream);
    std::array<int, servers> last;
    last.fill(-1);
    for (std::string text; std::getline(stream, text);) {
      const auto parsed = nlohmann::json::parse(text);
      const int server = parsed.at("server");
      const int number = parsed.at("number");
      CHECK(number > last.at(static_cast<std::size_t>(server)));
      last.at(static_cast<std::size_t>(server)) = number;
      seen.emplace(server, number);
    }
  }
  CHECK(seen.size() == servers * lines);
}
