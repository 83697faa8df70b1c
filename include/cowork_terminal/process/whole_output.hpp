#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace cowork_terminal::process {

// A folder of this process, private to the user (0700), for output that is too long to be answered. Made when the first
// file is; gone with the object. What processes that were killed have left is removed then, too. Loop thread only.
class OutputFolder {
 public:
  OutputFolder() = default;
  ~OutputFolder() { remove(); }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  // The path of a file that is not there yet; empty if there can be no folder.
  std::filesystem::path new_file(std::string_view name);
  void remove();

 private:
  std::filesystem::path path_;
  std::uint64_t files_ = 0;
};

// All that one stream wrote, byte for byte: in memory up to a limit, beyond it in a file (0600) in an OutputFolder,
// which holds 256 MiB at most.
class WholeOutput {
 public:
  // `folder` outlives it. `name` is "stdout" or "stderr".
  WholeOutput(OutputFolder& folder, std::string name, std::size_t limit);
  ~WholeOutput();
  WholeOutput(const WholeOutput&) = delete;
  WholeOutput& operator=(const WholeOutput&) = delete;

  void append(std::string_view bytes);
  // The file with everything so far, made now if need be; empty if it could not be written.
  std::string file();

 private:
  void write(std::string_view bytes);

  OutputFolder& folder_;
  std::string name_;
  std::size_t limit_;
  std::string memory_;  // until there is a file
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t written_ = 0;
  bool failed_ = false;
};

}  // namespace cowork_terminal::process
