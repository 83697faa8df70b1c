#pragma once

#include <cowork_terminal/registration/client.hpp>
#include <string>

namespace cowork_terminal::registration {

enum class Change { entry_added, entry_removed };

// What a person does now so that the client notices, as a sentence.
std::string next_step(const Client& client, Change change, const Surroundings& surroundings);

// The same for Claude Code when the entry is in the `.mcp.json` of a folder.
std::string next_step_in_project(Change change, const Surroundings& surroundings);

}  // namespace cowork_terminal::registration
