#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "process/descriptor.hpp"
#include "process/descriptor_limit.hpp"
#include "process/descriptor_scan.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;

namespace {

// What `act` makes of the descriptors 40 to 44 and 300, in a child: '-' closed, 'x' close-on-exec, 'o' open.
template <class Act>
std::string descriptors_after(Act act) {
  constexpr int numbers[] = {40, 41, 42, 43, 44, 300};
  auto pipe = make_pipe();
  const pid_t child = ::fork();
  if (child == 0) {
    const int answer = ::fcntl(pipe->second.get(), F_DUPFD, 500);
    for (const int number : numbers) ::dup2(answer, number);
    act(answer);
    std::string text;
    for (const int number : numbers) {
      const int flags = ::fcntl(number, F_GETFD);
      text += flags < 0 ? '-' : flags == 0 ? 'o' : 'x';
    }
    ::_exit(::write(answer, text.data(), text.size()) == 6 ? 0 : 1);
  }
  pipe->second.reset();
  std::string text(6, '?');
  std::size_t filled = 0;
  for (ssize_t size = 0; (size = ::read(pipe->first.get(), text.data() + filled, text.size() - filled)) > 0;) {
    filled += static_cast<std::size_t>(size);
  }
  ::waitpid(child, nullptr, 0);
  return text;
}

}  // namespace

TEST_CASE("all descriptors but the kept ones are closed, whatever their order", "[process][C-17]") {
  raise_descriptor_limit();
  const auto close_most = [](int answer) {
    const int kept[] = {43, answer, -1, 41, 42};
    close_descriptors_from(3, kept, 5);
  };
  CHECK(descriptors_after(close_most) == "-ooo--");
  const auto close_each = [](int answer) {
    const int kept[] = {43, answer, -1, 41, 42};
    close_each_descriptor(3, kept, 5);
  };
  CHECK(descriptors_after(close_each) == "-ooo--");
}

TEST_CASE("descriptors are closed on exec from a number on", "[process][C-17]") {
  raise_descriptor_limit();
  CHECK(descriptors_after([](int) { close_descriptors_on_exec(42); }) == "ooxxxx");
  CHECK(descriptors_after([](int) { close_each_descriptor_on_exec(42); }) == "ooxxxx");
}

TEST_CASE("what is made here is close-on-exec", "[process][C-17]") {
  const auto pipe = make_pipe();
  const auto sockets = make_socket_pair();
  REQUIRE(pipe);
  REQUIRE(sockets);
  for (const int number : {pipe->first.get(), pipe->second.get(), sockets->first.get(), sockets->second.get()}) {
    CHECK(::fcntl(number, F_GETFD) == FD_CLOEXEC);
  }
}

TEST_CASE("a descriptor is closed once, by its last owner", "[process]") {
  auto pipe = make_pipe();
  REQUIRE(pipe);
  const int number = pipe->first.get();
  Descriptor owner = std::move(pipe->first);
  CHECK_FALSE(pipe->first.is_open());
  owner = std::move(pipe->second);
  CHECK(::fcntl(number, F_GETFD) < 0);
  CHECK(owner.is_open());
}
