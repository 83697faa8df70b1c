#include <fcntl.h>
#include <sys/stat.h>

#include <cowork_terminal/process/command.hpp>
#include <string>
#include <vector>

#include "process/descriptor.hpp"
#include "process/script_file.hpp"
#include "process/supervisor_request.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;

namespace {

constexpr char sample_mark[] = "MARK=abc-1";

Command sample_command() {
  Command command;
  command.argv = {"/bin/bash", "-c", "--", "echo \"a\nb\" \xff", ""};
  command.working_directory = "/";
  command.environment.set("EMPTY", "");
  command.environment.set("MARK", "of another server");
  command.environment.set("WITH", "a=b\nc");
  return command;
}

std::vector<std::string> texts(char* const* pointers) {
  std::vector<std::string> found;
  for (; *pointers != nullptr; ++pointers) found.emplace_back(*pointers);
  return found;
}

bool same_file(int first, int second) {
  struct stat one {};
  struct stat other {};
  return ::fstat(first, &one) == 0 && ::fstat(second, &other) == 0 && one.st_ino == other.st_ino;
}

void close_all(const Supervision& supervision) {
  for (const int number : {supervision.standard_output, supervision.standard_error, supervision.script}) {
    const Descriptor closed(number);
  }
}

// A channel, and the pipes of a program.
struct Connection {
  DescriptorPair channel = *make_socket_pair();
  DescriptorPair output = *make_pipe();
  DescriptorPair error = *make_pipe();

  void send(const std::string& bytes, int script = -1) {
    PassedDescriptors passed;
    passed.add(output.second.get());
    passed.add(error.second.get());
    if (script >= 0) passed.add(script);
    REQUIRE(send_passing(channel.first.get(), bytes.data(), bytes.size(), passed) ==
            static_cast<ssize_t>(bytes.size()));
  }
};

}  // namespace

TEST_CASE("a request arrives as the command was, one after another", "[process][C-15][C-18]") {
  Connection connection;
  ReceivedRequest request;
  for (int round = 0; round < 2; ++round) {
    connection.send(supervisor_request(sample_command(), sample_mark, nullptr));
    Supervision supervision;
    REQUIRE(request.receive(connection.channel.second.get(), supervision));
    CHECK(texts(supervision.argv) == sample_command().argv);
    CHECK(texts(supervision.environment) == std::vector<std::string>{sample_mark, "EMPTY=", "WITH=a=b\nc"});
    CHECK(std::string(supervision.mark) == sample_mark);
    CHECK(std::string(supervision.working_directory) == "/");
    CHECK(supervision.script_folder == nullptr);
    CHECK(supervision.script == -1);
    CHECK(same_file(supervision.standard_output, connection.output.second.get()));
    CHECK(same_file(supervision.standard_error, connection.error.second.get()));
    CHECK((::fcntl(supervision.standard_output, F_GETFD) & FD_CLOEXEC) != 0);
    close_all(supervision);

    request.forget();
    CHECK(std::string(supervision.mark).empty());
  }
}

TEST_CASE("a script in memory comes as a descriptor, and its path becomes the last argument", "[process][C-15]") {
  const auto script = ScriptFile::make("exit 3");
  REQUIRE(script);
  Connection connection;
  connection.send(supervisor_request(sample_command(), sample_mark, script.get()), script->descriptor());
  Supervision supervision;
  ReceivedRequest request;
  REQUIRE(request.receive(connection.channel.second.get(), supervision));
  auto expected = sample_command().argv;
  expected.push_back(script->path());
  CHECK(texts(supervision.argv) == expected);
  CHECK(supervision.script_path == supervision.argv[expected.size() - 1]);
  CHECK((supervision.script >= 0) == (script->descriptor() >= 0));
  CHECK((supervision.script_folder != nullptr) == !script->folder().empty());
  close_all(supervision);
}

TEST_CASE("a request that ends too early, or lacks a pipe, is none", "[process][C-26b]") {
  const std::string bytes = supervisor_request(sample_command(), sample_mark, nullptr);
  for (const std::size_t size : {bytes.size() - 1, sizeof(SupervisorRequestHeader), std::size_t{3}}) {
    Connection connection;
    connection.send(bytes.substr(0, size));
    connection.channel.first.reset();
    Supervision supervision;
    ReceivedRequest request;
    CHECK_FALSE(request.receive(connection.channel.second.get(), supervision));
  }
  Connection connection;
  REQUIRE(send_passing(connection.channel.first.get(), bytes.data(), bytes.size(), {}) ==
          static_cast<ssize_t>(bytes.size()));
  Supervision supervision;
  ReceivedRequest request;
  CHECK_FALSE(request.receive(connection.channel.second.get(), supervision));
}
