#pragma once

namespace cowork_terminal::app {

// Ends the process at once, without destructors: other threads may still run. Under LeakSanitizer, leaks are looked for
// first and make the exit code 23.
[[noreturn]] void leave(int exit_code);

}  // namespace cowork_terminal::app
