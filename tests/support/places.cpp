#include "support/server_process.hpp"

namespace cowork_terminal::testing {

const char* program_path() { return COWORK_TERMINAL_PROGRAM; }

const char* source_folder() { return COWORK_TERMINAL_SOURCE_DIR; }

}  // namespace cowork_terminal::testing
