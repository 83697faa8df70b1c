#include <array>
#include <cowork_terminal/process/command.hpp>

namespace cowork_terminal::process {

// The numbers of the MSYS runtime, those of Cygwin.
std::string signal_name(int signal) {
  static constexpr std::array<const char*, 32> names{
      nullptr,   "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGEMT",
      "SIGFPE",  "SIGKILL", "SIGBUS",    "SIGSEGV", "SIGSYS",   "SIGPIPE", "SIGALRM", "SIGTERM",
      "SIGURG",  "SIGSTOP", "SIGTSTP",   "SIGCONT", "SIGCHLD",  "SIGTTIN", "SIGTTOU", "SIGIO",
      "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGPWR",  "SIGUSR1", "SIGUSR2"};
  if (signal > 0 && static_cast<std::size_t>(signal) < names.size()) return names[static_cast<std::size_t>(signal)];
  return "signal " + std::to_string(signal);
}

}  // namespace cowork_terminal::process
