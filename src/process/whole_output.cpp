#include <algorithm>
#include <cowork_terminal/process/whole_output.hpp>
#include <system_error>
#include <utility>

#include "process/private_storage.hpp"

namespace cowork_terminal::process {

namespace {

constexpr std::string_view folder_prefix = "cowork-terminal-output-";
// A command that never stops writing must not fill the disk.
constexpr std::uint64_t most_in_file = 256ULL * 1'024 * 1'024;

}  // namespace

std::filesystem::path OutputFolder::new_file(std::string_view name) {
  if (path_.empty()) path_ = make_private_folder(folder_prefix);
  if (path_.empty()) return {};
  return path_ / (std::to_string(++files_) + "." + std::string(name));
}

void OutputFolder::remove() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(std::exchange(path_, {}), ignored);
}

WholeOutput::WholeOutput(OutputFolder& folder, std::string name, std::size_t limit)
    : folder_(folder), name_(std::move(name)), limit_(limit) {}

WholeOutput::~WholeOutput() {
  if (descriptor_ >= 0) close_file(descriptor_);
}

void WholeOutput::append(std::string_view bytes) {
  if (descriptor_ >= 0) return write(bytes);
  if (failed_) return;
  if (memory_.size() + bytes.size() <= limit_) {
    memory_ += bytes;
    return;
  }
  if (!file().empty()) write(bytes);
}

std::string WholeOutput::file() {
  if (descriptor_ >= 0 || failed_) return failed_ ? std::string() : path_;
  const auto path = folder_.new_file(name_);
  descriptor_ = path.empty() ? -1 : create_private_file(path);
  failed_ = descriptor_ < 0;
  if (failed_) {
    memory_ = {};
    return {};
  }
  const auto utf8 = path.generic_u8string();
  path_.assign(utf8.begin(), utf8.end());
  write(std::exchange(memory_, {}));
  return failed_ ? std::string() : path_;
}

void WholeOutput::write(std::string_view bytes) {
  bytes = bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), most_in_file - written_)));
  if (failed_ || bytes.empty()) return;
  failed_ = !write_file(descriptor_, bytes);
  written_ += bytes.size();
}

}  // namespace cowork_terminal::process
