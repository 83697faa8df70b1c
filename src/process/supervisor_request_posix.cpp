#include <cowork_terminal/process/command.hpp>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "process/script_file.hpp"
#include "process/supervisor_request.hpp"

namespace cowork_terminal::process {

namespace {

// Bytes of texts. Memory that is there already costs no page fault.
constexpr std::size_t largest_kept = 64 * 1'024;

void add_text(std::string& texts, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) texts += part;
  texts += '\0';
}

// The server's own mark, if it is a command of another server, gives way.
bool is_named_as(std::string_view mark, std::string_view name) { return mark.substr(0, mark.find('=')) == name; }

}  // namespace

std::string supervisor_request(const Command& command, std::string_view mark, const ScriptFile* script) {
  SupervisorRequestHeader header;
  std::string request(sizeof header, '\0');
  add_text(request, {command.working_directory});
  add_text(request, {script != nullptr ? script->folder() : ""});
  for (const auto& argument : command.argv) add_text(request, {argument});
  header.arguments = static_cast<std::uint32_t>(command.argv.size());
  if (script != nullptr && script->descriptor() < 0) {
    add_text(request, {script->path()});
    ++header.arguments;
  }
  add_text(request, {mark});
  header.variables = 1;
  for (const auto& [name, value] : command.environment.variables()) {
    if (is_named_as(mark, name)) continue;
    add_text(request, {name, "=", value});
    ++header.variables;
  }
  header.descriptors = script != nullptr && script->descriptor() >= 0 ? 3 : 2;
  header.text_size = request.size() - sizeof header;
  std::memcpy(request.data(), &header, sizeof header);
  return request;
}

bool ReceivedRequest::receive_whole(int channel, void* bytes, std::size_t size) {
  char* place = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t count = receive_passed(channel, place, size, 0, passed_);
    if (count <= 0) return false;
    place += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

void ReceivedRequest::forget() {
  if (texts_.size() > largest_kept) return MappedArray<char>().swap(texts_);
  std::memset(texts_.begin(), 0, texts_.size());
}

bool ReceivedRequest::receive(int channel, Supervision& supervision) {
  passed_ = {};
  if (!receive_whole(channel, &header_, sizeof header_) || passed_.count != header_.descriptors) return false;
  if (passed_.count < 2) return false;
  if (!texts_.resize(header_.text_size) || !receive_whole(channel, texts_.begin(), header_.text_size)) return false;

  supervision.channel = channel;
  supervision.standard_output = passed_.numbers[0];
  supervision.standard_error = passed_.numbers[1];
  supervision.script = passed_.count > 2 ? passed_.numbers[2] : -1;

  const std::size_t arguments = header_.arguments + (supervision.script >= 0 ? 1 : 0);
  if (!pointers_.resize(arguments + 1 + header_.variables + 1)) return false;
  char* text = texts_.begin();
  const auto next_text = [&text] { return std::exchange(text, text + std::strlen(text) + 1); };
  supervision.working_directory = next_text();
  const char* const folder = next_text();
  char** pointer = pointers_.begin();
  supervision.argv = pointer;
  for (std::uint32_t i = 0; i < header_.arguments; ++i) *pointer++ = next_text();
  if (supervision.script >= 0) *pointer++ = script_path_;
  supervision.script_path = pointer[-1];
  *pointer++ = nullptr;
  supervision.environment = pointer;
  for (std::uint32_t i = 0; i < header_.variables; ++i) *pointer++ = next_text();
  *pointer = nullptr;
  supervision.mark = supervision.environment[0];
  supervision.script_folder = *folder != '\0' ? folder : nullptr;
  return true;
}

}  // namespace cowork_terminal::process
