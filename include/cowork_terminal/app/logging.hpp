#pragma once

#include <cowork_terminal/app/log_level.hpp>
#include <exception>
#include <string_view>

namespace cowork_terminal::app {

// Diagnostics go to stderr from here on, those below `level` nowhere. Never blocks: a line that cannot be written at
// once is dropped and counted (contract C-29). Once, before log().
void start_logging(LogLevel level);

// One line; control characters in `message` are escaped, so that nothing that came from outside can forge a line.
void log(LogLevel level, std::string_view message);

// What became of a task that threw: an error line, the program goes on.
void log_exception(const std::exception_ptr& thrown);

}  // namespace cowork_terminal::app
