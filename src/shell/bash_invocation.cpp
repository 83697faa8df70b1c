#include <cowork_terminal/shell/bash_invocation.hpp>
#include <utility>

#include "shell/argument_limit.hpp"

namespace cowork_terminal::shell {

namespace {

// $0 is bash, as with -c, and $1 the script, gone before the command runs. BASH_EXECUTION_STRING is what bash itself
// calls the argument of -c, so no name of ours is left behind. `read` fails at the end of the file, having read all of
// it: `||` keeps an `errexit` of BASH_ENV from ending the shell there. `:` sets `$_` to what -c has in it.
constexpr const char* evaluate_script =
    R"({ IFS= read -r -d '' BASH_EXECUTION_STRING || shift; } <"$1" && : "$0" && eval -- "$BASH_EXECUTION_STRING")";

}  // namespace

BashInvocation invoke_bash(const std::string& bash, std::string command) {
  if (command.size() > argument_limit()) return {{bash, "-c", "--", evaluate_script, bash}, std::move(command)};
  return {{bash, "-c", "--", std::move(command)}, std::nullopt};
}

}  // namespace cowork_terminal::shell
