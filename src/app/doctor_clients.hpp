#pragma once

#include <cowork_terminal/registration/surroundings.hpp>
#include <string>
#include <vector>

#include "app/doctor_check.hpp"

namespace cowork_terminal::app {

// What the configuration of each client says about the program at `executable`. Clients that are not on this machine
// are left out.
std::vector<Check> check_clients(const std::string& executable, const registration::Surroundings& surroundings);

}  // namespace cowork_terminal::app
