#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "process/descriptor.hpp"

namespace cowork_terminal::process {

// POSIX. A script as a private file (0600), gone with this object: without a name in memory where the system has that
// and shows it in /proc, else in a folder of its own (0700) below TMPDIR or /tmp.
class ScriptFile {
 public:
  // errno tells why there is none.
  static std::unique_ptr<ScriptFile> make(std::string_view text);
  ~ScriptFile();
  ScriptFile(const ScriptFile&) = delete;
  ScriptFile& operator=(const ScriptFile&) = delete;

  // Not open if the script has a name.
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  ScriptFile() = default;

  Descriptor descriptor_;
  std::string folder_;
  std::string path_;
};

// Close-on-exec. Not open where the system has nothing of the kind.
Descriptor make_nameless_file();

}  // namespace cowork_terminal::process
