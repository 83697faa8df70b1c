#include "process/batch_file_line.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace cowork_terminal::process {

namespace {

// cmd.exe leaves what stands in quotation marks alone, except for %NAME%. Two marks are one for the C runtimes and do
// not end the quotes for cmd.exe, which \" would.
std::string quoted(std::string_view argument) {
  if (argument.find_first_of("\r\n") != std::string_view::npos) {
    throw std::invalid_argument("A batch file takes no argument with a line break.");
  }
  std::string text = "\"";
  std::size_t backslashes = 0;
  for (const char c : argument) {
    if (c == '"') text.append(backslashes, '\\') += '"';
    // The first % stands for itself, as no name follows it; the rest of what is put in is a variable cut to nothing.
    if (c == '%') text += "%%cd:~,";
    backslashes = c == '\\' ? backslashes + 1 : 0;
    text += c;
  }
  text.append(backslashes, '\\');
  return text + '"';
}

}  // namespace

bool is_batch_file(std::string_view program) {
  std::string extension{program.substr(program.size() < 4 ? 0 : program.size() - 4)};
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".cmd" || extension == ".bat";
}

std::string batch_file_line(const std::string& interpreter, const std::vector<std::string>& argv) {
  // No AutoRun, the extensions that the cut needs, no !NAME!, and /s: nothing but the outer marks is taken off.
  std::string line = "\"" + interpreter + "\" /d /e:on /v:off /s /c \"";
  line += quoted(argv.front());
  for (std::size_t i = 1; i < argv.size(); ++i) line += ' ' + quoted(argv[i]);
  return line + '"';
}

}  // namespace cowork_terminal::process
