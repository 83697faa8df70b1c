#pragma once

#include <string>

namespace cowork_terminal::process::testing {

// The test program has its own pipe2(), fork() and so on, which pass on to the real ones unless a test says otherwise.

enum class Where {
  here,         // in this process
  in_children,  // in all others that are forks of it, whenever they were forked
};

// From now on the `nth` call of that function there (1: the next) fails with this errno.
void fail_call(const std::string& function, int nth, int error, Where where = Where::here);
// Nothing fails any more; whether the failure came about.
bool disarm();

}  // namespace cowork_terminal::process::testing
