#pragma once

#include <string>

#include "app/doctor_check.hpp"

namespace cowork_terminal::app {

// Starts the program at `executable` as a server, speaks to it in both protocol eras, lists its tool and runs `echo`.
Check check_server(const std::string& executable, const std::string& bash);

}  // namespace cowork_terminal::app
