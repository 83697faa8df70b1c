#pragma once

#include <functional>
#include <string>

namespace cowork_terminal::process {
class CommandRunner;
}

namespace cowork_terminal::shell {

// Asks the bash at the absolute path `bash` for its version, as in "5.2.15(1)-release". `done` is called exactly once,
// on the loop thread, never from inside; with an empty text if bash did not say. A process of its own, a few ms: at
// start, call it once the loop runs, so that no answer waits for it (contract C-25).
void ask_bash_version(process::CommandRunner& runner, const std::string& bash,
                      std::function<void(std::string version)> done);

}  // namespace cowork_terminal::shell
