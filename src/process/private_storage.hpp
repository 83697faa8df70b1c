#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cowork_terminal::process {

// What OutputFolder and WholeOutput need of the system.

// A new folder below the system's place for temporary files that only this user may open; `prefix` and the id of this
// process begin its name. Empty if there can be none. Folders of that prefix whose process is gone are removed.
std::filesystem::path make_private_folder(std::string_view prefix);

// A new file (0600), opened for writing and not inherited; -1 if it could not be.
int create_private_file(const std::filesystem::path& path);
// Whether all bytes were written.
bool write_file(int descriptor, std::string_view bytes);
void close_file(int descriptor);

}  // namespace cowork_terminal::process
