#pragma once

#include <cowork_terminal/registration/client.hpp>
#include <cowork_terminal/registration/server_entry.hpp>
#include <cowork_terminal/registration/surroundings.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace cowork_terminal::registration {

struct InspectedEntry {
  ServerEntry entry;
  EntryKind kind;     // never foreign
  std::string scope;  // for people, if the entry does not hold everywhere ("only in /home/ann/project"); else empty
};

struct InspectedFile {
  std::filesystem::path file;
  bool exists = false;
  bool folder_exists = false;  // the client has probably been started on this machine
  std::string problem;         // why it cannot be used, with line and column; else empty
  std::vector<InspectedEntry> entries;
};

struct InspectedClient {
  Client client;
  std::vector<InspectedFile> files;  // never empty
};

// What the configurations of a client, or of all of them, say about this program. Writes and starts nothing, never
// throws for what it finds on the machine.
InspectedClient inspect_client(const Client& client, const std::string& executable, const Surroundings& surroundings);
std::vector<InspectedClient> inspect_clients(const std::string& executable, const Surroundings& surroundings);

}  // namespace cowork_terminal::registration
