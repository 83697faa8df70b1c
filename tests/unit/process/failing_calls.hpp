#pragma once

#include <string>

namespace cowork_terminal::process::testing {

// The test program has its own pipe2(), fork() and so on, which pass on to the real ones unless a test says otherwise.
// What is armed holds in forks too, counted on from there.

// From now on the `nth` call of that function (1: the next) fails with this errno.
void fail_call(const std::string& function, int nth, int error);
// Nothing fails any more; whether the failure came about in this process.
bool disarm();

}  // namespace cowork_terminal::process::testing
