#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "process/descriptor.hpp"
#include "process/numbered_path.hpp"
#include "process/process_settings.hpp"
#include "process/supervisor.hpp"
#include "process/supervisor_channel.hpp"
#include "process/supervisor_request.hpp"
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

// Never while a program is started, which has the handler until its exec.
void hear_of_children(bool hear) {
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  ::sigprocmask(hear ? SIG_UNBLOCK : SIG_BLOCK, &children, nullptr);
}

// Of a server that has died since it sent the request nobody wants the command any more.
bool server_has_gone(int channel) {
  char byte = 0;
  return ::recv(channel, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

// The server does this too, unless it is dead.
void remove_script(const Supervision& supervision) {
  if (supervision.script >= 0) ::close(supervision.script);
  if (supervision.script_folder == nullptr) return;
  ::unlink(supervision.script_path);
  ::rmdir(supervision.script_folder);
}

class Supervisor {
 public:
  // `settings`: of this process, before any program ran.
  Supervisor(const Supervision& supervision, const TreeIdentity& identity, std::uint64_t settings)
      : supervision_(supervision), identity_(identity), settings_(settings), ending_(identity) {}

  // Returns when the program has ended by itself and nothing is left of it, neither a process nor a changed setting.
  void run() {
    for (;;) {
      reap();
      if (program_ended_ && ending_.state() == TreeEnding::State::idle) return tell_exit();
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
  void tell_exit();
  [[noreturn]] void leave_gone();

  const Supervision& supervision_;
  TreeIdentity identity_;
  std::uint64_t settings_;
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
    // An orphan may get the pid of the program once that is reaped.
    if (program_ended_ || child != identity_.program) continue;
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
  if (gone || !server_is_there_) leave_gone();
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

// Processes that it has left in the background become the children of somebody else only when we are gone, and what it
// has set of us (renice, prlimit) must not be inherited by the next.
void Supervisor::tell_exit() {
  remove_script(supervision_);
  const bool serves_again = !has_children_ && digest_of_settings() == settings_;
  send_record(supervision_.channel, {Kind::exited, serves_again ? 1U : 0U, program_status_});
  if (!serves_again) ::_exit(0);
}

void Supervisor::leave_gone() {
  remove_script(supervision_);
  send_record(supervision_.channel, {Kind::gone, 0, 0});
  ::_exit(0);
}

// The program opens the script through us, so that it inherits no descriptor.
void name_script(const Supervision& supervision, pid_t self) {
  if (supervision.script < 0) return;
  write_numbered_path(supervision.script_path, script_path_size, "/proc/", self, "/fd/");
  const std::size_t size = std::strlen(supervision.script_path);
  write_numbered_path(supervision.script_path + size, script_path_size - size, "", supervision.script, "");
}

// All that can be done before there is a command. 0 or errno.
int prepare(int channel) {
  // First of all: the server's standard streams are among them, and its client waits until nobody holds those.
  close_descriptors_from(0, &channel, 1);
  ::setsid();
  reset_signal_dispositions();
  return prepare_to_hear_of_children() ? 0 : errno;
}

// The pid of the program; without one the server has been told why, and nothing is left to do.
pid_t start_supervised(const Supervision& supervision, pid_t self, int earlier_error) {
  name_script(supervision, self);
  errno = earlier_error;
  const pid_t program = earlier_error == 0 ? start_program(supervision, self) : -1;
  if (program < 0) {
    send_record(supervision.channel, {Kind::failed, static_cast<std::uint32_t>(LaunchStep::fork_program), errno});
    ::_exit(127);
  }
  ::close(supervision.standard_output);
  ::close(supervision.standard_error);
  return program;
}

}  // namespace

void supervise(int channel) {
  const int error = prepare(channel);
  const pid_t self = ::getpid();
  const bool adopts = adopt_orphans();
  continue_when_server_dies();
  const std::uint64_t settings = digest_of_settings();
  ReceivedRequest request;
  for (;;) {
    be_shown_as("cowork-standby");
    Supervision supervision;
    if (!request.receive(channel, supervision)) ::_exit(0);
    if (server_has_gone(channel)) {
      remove_script(supervision);
      ::_exit(0);
    }
    be_shown_as("cowork-command");

    TreeIdentity identity;
    identity.mark = supervision.mark;
    identity.program = start_supervised(supervision, self, error);
    hear_of_children(true);
    if (adopts) {
      identity.adopter = self;
    } else if (const auto process = read_process(identity.program)) {
      identity.program_start = process->start;
    }
    Supervisor(supervision, identity, settings).run();
    hear_of_children(false);
    request.forget();
  }
}

}  // namespace cowork_terminal::process
