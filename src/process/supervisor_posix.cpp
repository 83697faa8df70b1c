#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "process/descriptor.hpp"
#include "process/numbered_path.hpp"
#include "process/supervisor.hpp"
#include "process/supervisor_channel.hpp"
#include "process/tree_ending.hpp"

namespace cowork_terminal::process {

namespace {

using Kind = SupervisorRecord::Kind;

// Nobody waits any more, so there is time for a bomb to be caught up with and for what is stuck to come loose.
constexpr std::chrono::milliseconds patience_alone{60'000};

int child_ended_pipe[2] = {-1, -1};

extern "C" void note_child_ended(int) {
  const int saved = errno;
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = ::write(child_ended_pipe[1], &byte, 1);
  errno = saved;
}

void reset_signal_dispositions() {
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &by_default, nullptr);
}

// A handler and a pipe rather than signalfd: the same everywhere, and cheap enough for one wake-up per command.
bool prepare_to_hear_of_children() {
  auto pipe = make_pipe();
  if (!pipe) return false;
  child_ended_pipe[0] = pipe->first.release();
  child_ended_pipe[1] = pipe->second.release();
  for (const int end : child_ended_pipe) ::fcntl(end, F_SETFL, O_NONBLOCK);
  struct sigaction action {};
  action.sa_handler = note_child_ended;
  action.sa_flags = SA_NOCLDSTOP | SA_RESTART;
  return ::sigaction(SIGCHLD, &action, nullptr) == 0;
}

void hear_of_children() {
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  ::sigprocmask(SIG_UNBLOCK, &children, nullptr);
}

class Supervisor {
 public:
  Supervisor(const Supervision& supervision, const TreeIdentity& identity)
      : supervision_(supervision), identity_(identity), ending_(identity) {}

  [[noreturn]] void run() {
    for (;;) {
      reap();
      if (program_ended_ && ending_.state() == TreeEnding::State::idle) leave(Kind::exited, program_status_);
      ending_.advance();
      reap();
      answer_if_over();
      wait();
    }
  }

 private:
  void reap();
  void answer_if_over();
  std::int64_t name_survivors();
  void wait();
  void obey_server();
  [[noreturn]] void leave(Kind kind, std::int64_t value);

  const Supervision& supervision_;
  TreeIdentity identity_;
  TreeEnding ending_;
  RecordReader orders_;
  bool server_is_there_ = true;
  bool answered_ = false;
  bool program_ended_ = false;
  bool has_children_ = true;
  int program_status_ = 0;
};

// All children are ours alone here, so any of them may be waited for.
void Supervisor::reap() {
  for (;;) {
    int status = 0;
    const pid_t child = ::waitpid(-1, &status, WNOHANG);
    if (child < 0 && errno == EINTR) continue;
    if (child < 0) has_children_ = false;
    if (child <= 0) return;
    if (child != identity_.program) continue;
    program_ended_ = true;
    program_status_ = status;
    ending_.program_was_reaped();
  }
}

void Supervisor::answer_if_over() {
  using State = TreeEnding::State;
  if (ending_.state() == State::idle) return;
  const bool all_adopted = identity_.adopter != 0;
  const bool gone = all_adopted ? !has_children_ : ending_.state() == State::gone && program_ended_;
  if (!gone && ending_.state() != State::given_up) return;
  if (answered_) ::_exit(0);

  answered_ = true;
  if (program_ended_) send_record(supervision_.channel, {Kind::ended, 0, program_status_});
  if (gone || !server_is_there_) leave(Kind::gone, 0);
  send_record(supervision_.channel, {Kind::gone, 0, name_survivors()});
  ending_.kill(patience_alone);
}

// How many it did not name.
std::int64_t Supervisor::name_survivors() {
  std::size_t named = 0;
  for (const TreeMember& member : ending_.members()) {
    if (named == survivors_named) break;
    send_record(supervision_.channel, {Kind::survivor, member.not_permitted ? 1U : 0U, member.process.pid});
    ++named;
  }
  // Not seen, but there: the process table may hide it.
  if (named == 0) return 1;
  return static_cast<std::int64_t>(ending_.members().size() - named);
}

void Supervisor::wait() {
  int timeout = -1;
  if (const auto next = ending_.next_step()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - TreeEnding::Clock::now());
    timeout = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
  }
  pollfd waited[] = {{child_ended_pipe[0], POLLIN, 0}, {supervision_.channel, POLLIN, 0}};
  if (::poll(waited, server_is_there_ ? 2 : 1, timeout) <= 0) return;
  char bytes[64];
  while (::read(child_ended_pipe[0], bytes, sizeof bytes) > 0) continue;
  // Children first: a program that has ended by itself before an order was read has ended by itself.
  reap();
  if (program_ended_ && ending_.state() == TreeEnding::State::idle) return;
  if (server_is_there_ && waited[1].revents != 0) obey_server();
}

void Supervisor::obey_server() {
  for (;;) {
    switch (orders_.read(supervision_.channel)) {
      case RecordReader::Result::nothing_yet:
        return;
      case RecordReader::Result::closed:
        server_is_there_ = false;
        ending_.kill(patience_alone);
        return;
      case RecordReader::Result::record:
        if (answered_) continue;
        if (orders_.record().kind == Kind::terminate) {
          ending_.terminate(std::chrono::milliseconds(orders_.record().value));
        }
    }
  }
}

void Supervisor::leave(Kind kind, std::int64_t value) {
  send_record(supervision_.channel, {kind, 0, value});
  // The server does this too, unless it is dead.
  if (supervision_.script_folder != nullptr) {
    ::unlink(supervision_.script_path);
    ::rmdir(supervision_.script_folder);
  }
  ::_exit(0);
}

// The program opens the script through us, so that it inherits no descriptor.
void name_script(const Supervision& supervision, pid_t self) {
  if (supervision.script < 0) return;
  write_numbered_path(supervision.script_path, script_path_size, "/proc/", self, "/fd/");
  const std::size_t size = std::strlen(supervision.script_path);
  write_numbered_path(supervision.script_path + size, script_path_size - size, "", supervision.script, "");
}

}  // namespace

void supervise(const Supervision& supervision) {
  // First of all: one of these is the launcher's pipe, and the server waits until nobody holds it.
  const int kept[] = {supervision.channel, supervision.standard_output, supervision.standard_error, supervision.script};
  close_descriptors_from(0, kept, 4);
  ::setsid();
  reset_signal_dispositions();

  TreeIdentity identity;
  const pid_t self = ::getpid();
  if (adopt_orphans()) identity.adopter = self;
  identity.mark = supervision.mark;
  name_script(supervision, self);

  const pid_t program = prepare_to_hear_of_children() ? start_program(supervision, self) : -1;
  if (program < 0) {
    send_record(supervision.channel, {Kind::failed, static_cast<std::uint32_t>(LaunchStep::fork_program), errno});
    ::_exit(127);
  }
  send_record(supervision.channel, {Kind::started, 0, program});
  hear_of_children();
  ::close(supervision.standard_output);
  ::close(supervision.standard_error);

  identity.program = program;
  if (identity.adopter == 0) {
    if (const auto process = read_process(program)) identity.program_start = process->start;
  }
  Supervisor(supervision, identity).run();
}

}  // namespace cowork_terminal::process
