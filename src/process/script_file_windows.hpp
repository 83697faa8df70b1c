#pragma once

#include <string>
#include <string_view>

#include "process/unique_handle_windows.hpp"

namespace cowork_terminal::process {

// A file of exactly these bytes in a folder that only this user may open. The system removes it when the object goes,
// or when our process ends in whatever way.
class ScriptFile {
 public:
  // Throws std::runtime_error.
  explicit ScriptFile(std::string_view bytes);
  ScriptFile(ScriptFile&&) noexcept = default;
  ScriptFile& operator=(ScriptFile&&) = delete;
  ~ScriptFile();

  // Absolute, with forward slashes.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  UniqueHandle handle_;
  std::string path_;
};

}  // namespace cowork_terminal::process
