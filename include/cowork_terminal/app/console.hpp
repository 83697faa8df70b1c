#pragma once

namespace cowork_terminal::app {

// On Windows: no line end of stdout and stderr is translated, and a console shows UTF-8 while the program runs.
// Elsewhere: SIGPIPE is ignored.
void prepare_console();

}  // namespace cowork_terminal::app
