#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cowork_terminal::policy {

// Beyond `size` bytes a file becomes FILE.1, FILE.1 becomes FILE.2, and so on up to FILE.`kept`.
struct Rotation {
  std::uint64_t size = 10'000'000;
  int kept = 3;
};

// Appends `line` as a whole to a private file of this user, which is made if it is not there, with its folders. Any
// number of processes may do so at once, one lock being held for append and rotation. Never follows a symbolic link in
// the place of the file or of its folder. An empty line only looks whether all this is possible. Nothing, or why it did
// not work.
[[nodiscard]] std::optional<std::string> append_to_log(const std::string& file, std::string_view line,
                                                       const Rotation& rotation = {});

std::int64_t own_process_id();

}  // namespace cowork_terminal::policy
