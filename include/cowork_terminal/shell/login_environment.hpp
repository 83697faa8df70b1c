#pragma once

#include <chrono>
#include <cowork_terminal/process/environment.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cowork_terminal::loop {
class EventLoop;
}
namespace cowork_terminal::process {
class CommandRunner;
}

namespace cowork_terminal::shell {

// The option --login-env (contract §7).
enum class LoginEnvironmentMode { automatic, always, never };

// Whether the login shell is to be asked: `automatic` means only when the server was not started from a shell, whose
// sign is SHLVL. Never on Windows, which has no login shells.
bool wants_login_environment(LoginEnvironmentMode mode, const process::Environment& server);

// What the user's login shell says: its environment, or why there is none, as a sentence for a person.
struct LoginShellReport {
  std::string shell;  // absolute; empty: the user has none
  std::optional<process::Environment> environment;
  std::string failure;
};

// Runs the user's shell once as an interactive login shell, in `home` with the environment `server`, and reports what
// it would give to programs. Takes `limit` at most. `done` is called exactly once, on the loop thread, never from
// inside. `loop` and `runner` outlive the call.
void ask_login_shell(loop::EventLoop& loop, process::CommandRunner& runner, const process::Environment& server,
                     const std::string& home, std::function<void(LoginShellReport)> done,
                     std::chrono::milliseconds limit = std::chrono::seconds(5));

// `server` plus the variables it lacks, and with the PATH of `login`, followed by what only `server` has in its own.
process::Environment merge_login_environment(process::Environment server, const process::Environment& login);

// The server's environment plus that of the login shell, which is asked at the first call of get() and never again.
// Loop thread only.
class LoginEnvironment {
 public:
  using Ready = std::function<void(const process::Environment&)>;
  using Log = std::function<void(std::string_view line)>;

  // `loop` and `runner` outlive it. `log` gets one line if the shell does not answer; the server's own environment is
  // used then.
  LoginEnvironment(loop::EventLoop& loop, process::CommandRunner& runner, process::Environment server, std::string home,
                   Log log);
  ~LoginEnvironment();

  // At once if the answer is there, else once it is; never after the object is gone.
  void get(Ready ready);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace cowork_terminal::shell
