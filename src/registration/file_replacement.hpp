#pragma once

#include <filesystem>
#include <string_view>

namespace cowork_terminal::registration {

// Throws std::filesystem::filesystem_error if the file is there and may not be written. Replacing it would not ask.
void require_writable(const std::filesystem::path& file);

// Puts `text` in the place of `target` in one step: at every moment, also after a crash, there is the old file or the
// whole new one. The new one has mode and owner of `model` (Windows: those of the old file), or is for the user alone
// (0600) if there is no such file. `target` is no symbolic link. Throws std::filesystem::filesystem_error, then nothing
// has changed.
void replace_file(const std::filesystem::path& target, std::string_view text, const std::filesystem::path& model);

}  // namespace cowork_terminal::registration
