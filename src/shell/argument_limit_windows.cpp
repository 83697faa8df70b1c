#include "shell/argument_limit.hpp"

namespace cowork_terminal::shell {

// Git Bash parses its command line again: long ones are cut near 8,186 characters and backslashes are lost.
std::size_t argument_limit() { return 0; }

}  // namespace cowork_terminal::shell
