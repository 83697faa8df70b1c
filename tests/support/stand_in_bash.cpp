// What stands for Git's bash.exe where there is none, e.g. in Wine: started as `bash -- SCRIPT`, or as the product
// starts bash, it obeys the lines of the script, each a verb and its words. Built by the Windows tests only.
#include <windows.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::wstring wide(std::string_view utf8) {
  const int size = static_cast<int>(utf8.size());
  std::wstring text(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, text.data(), static_cast<int>(text.size()));
  return text;
}

std::string narrow(std::wstring_view utf16) {
  const int size = static_cast<int>(utf16.size());
  std::string text(
      static_cast<std::size_t>(::WideCharToMultiByte(CP_UTF8, 0, utf16.data(), size, nullptr, 0, nullptr, nullptr)),
      '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, utf16.data(), size, text.data(), static_cast<int>(text.size()), nullptr, nullptr);
  return text;
}

void write(DWORD stream, std::string_view bytes) {
  while (!bytes.empty()) {
    DWORD written = 0;
    if (::WriteFile(::GetStdHandle(stream), bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr) == 0)
      return;
    bytes.remove_prefix(written);
  }
}

void print(std::string_view line) { write(STD_OUTPUT_HANDLE, std::string{line} + "\n"); }

// As the MSYS runtime opens files: sharing everything, deletion included.
HANDLE open_for_reading(const std::wstring& path) {
  return ::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                       OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
}

std::string read_all(HANDLE file) {
  std::string bytes;
  char buffer[4'096];
  DWORD size = 0;
  while (::ReadFile(file, buffer, sizeof buffer, &size, nullptr) != 0 && size != 0) bytes.append(buffer, size);
  return bytes;
}

std::wstring own_path() {
  wchar_t path[1'024];
  return {path, ::GetModuleFileNameW(nullptr, path, 1'024)};
}

enum class Streams { inherited, none };

// Starts this program again with one line of script.
DWORD start_again(const std::string& line, Streams streams) {
  std::wstring command = L"\"" + own_path() + L"\" -c \"" + wide(line) + L"\"";
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  if (streams == Streams::inherited) {
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdInput = ::GetStdHandle(STD_INPUT_HANDLE);
    startup.hStdOutput = ::GetStdHandle(STD_OUTPUT_HANDLE);
    startup.hStdError = ::GetStdHandle(STD_ERROR_HANDLE);
  }
  PROCESS_INFORMATION started{};
  const BOOL inherit = streams == Streams::inherited ? TRUE : FALSE;
  if (::CreateProcessW(nullptr, command.data(), nullptr, nullptr, inherit, CREATE_NO_WINDOW, nullptr, nullptr, &startup,
                       &started) == 0) {
    print("start failed with error " + std::to_string(::GetLastError()));
    std::exit(126);
  }
  ::CloseHandle(started.hThread);
  ::CloseHandle(started.hProcess);
  return started.dwProcessId;
}

// Puts this program where the installer of Git for Windows puts bash.
void install() {
  const auto fail = [](const std::string& what) {
    print(what + " failed with error " + std::to_string(::GetLastError()));
    std::exit(1);
  };
  std::wstring path = L"C:\\Program Files";
  for (const auto* folder : {L"\\Git", L"\\bin"}) {
    path += folder;
    if (::CreateDirectoryW(path.c_str(), nullptr) == 0 && ::GetLastError() != ERROR_ALREADY_EXISTS) fail(narrow(path));
  }
  path += L"\\bash.exe";
  if (::CopyFileW(own_path().c_str(), path.c_str(), FALSE) == 0) fail(narrow(path));
}

std::string variable(const std::string& name) {
  std::wstring value(32'768, L'\0');
  const DWORD size = ::GetEnvironmentVariableW(wide(name).c_str(), value.data(), static_cast<DWORD>(value.size()));
  if (size == 0 && ::GetLastError() == ERROR_ENVVAR_NOT_FOUND) return "(unset)";
  value.resize(size);
  return narrow(value);
}

void list_variables() {
  wchar_t* const block = ::GetEnvironmentStringsW();
  for (const wchar_t* entry = block; *entry != L'\0'; entry += std::wcslen(entry) + 1) print(narrow(entry));
  ::FreeEnvironmentStringsW(block);
}

void flood(const std::string& amount) {
  const std::string block(65'536, 'x');
  for (auto left = std::stoull(amount); left != 0;) {
    const auto size = left < block.size() ? static_cast<std::size_t>(left) : block.size();
    write(STD_OUTPUT_HANDLE, {block.data(), size});
    left -= size;
  }
}

void write_bytes(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  }
  write(STD_OUTPUT_HANDLE, bytes);
}

std::string kind_of_handle(const std::string& number) {
  const auto value = static_cast<std::uintptr_t>(std::stoull(number));
  switch (::GetFileType(reinterpret_cast<HANDLE>(value))) {
    case FILE_TYPE_DISK:
      return "disk";
    case FILE_TYPE_PIPE:
      return "pipe";
    case FILE_TYPE_CHAR:
      return "char";
    default:
      return "none";
  }
}

void create_file(const std::string& path) {
  ::CloseHandle(::CreateFileW(wide(path).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, 0, nullptr));
}

void wait_for(const std::string& path) {
  while (::GetFileAttributesW(wide(path).c_str()) == INVALID_FILE_ATTRIBUTES) ::Sleep(1);
}

std::string folder() {
  std::wstring path(32'768, L'\0');
  path.resize(::GetCurrentDirectoryW(static_cast<DWORD>(path.size()), path.data()));
  return narrow(path);
}

void sleep(const std::string& milliseconds) { ::Sleep(static_cast<DWORD>(std::stoul(milliseconds))); }

// "500 rest of it" as 500 and the rest.
std::pair<std::string, std::string> split(const std::string& words) {
  const auto blank = words.find(' ');
  return {words.substr(0, blank), blank == std::string::npos ? std::string{} : words.substr(blank + 1)};
}

using Verb = std::function<void(const std::string& words)>;

const std::map<std::string, Verb>& verbs() {
  static const std::map<std::string, Verb> all{
      {"echo", [](const auto& text) { print(text); }},
      {"err", [](const auto& text) { write(STD_ERROR_HANDLE, text + "\n"); }},
      {"exit", [](const auto& code) { ::ExitProcess(static_cast<UINT>(std::stoul(code, nullptr, 0))); }},
      {"sleep", sleep},
      {"flood", flood},
      {"bytes", write_bytes},
      {"pwd", [](const auto&) { print(folder()); }},
      {"env", [](const auto& name) { print(variable(name)); }},
      {"environment", [](const auto&) { list_variables(); }},
      {"stdin",
       [](const auto&) { print(std::to_string(read_all(::GetStdHandle(STD_INPUT_HANDLE)).size()) + " bytes"); }},
      {"handle", [](const auto& number) { print(kind_of_handle(number)); }},
      {"window", [](const auto&) { print(::GetConsoleWindow() == nullptr ? "none" : "console window"); }},
      {"touch", create_file},
      {"wait-for", wait_for},
      // A child that obeys "MILLISECONDS VERB WORDS ; VERB WORDS": it sleeps so long first.
      {"background",
       [](const auto& words) { print("pid " + std::to_string(start_again("after " + words, Streams::inherited))); }},
      {"background-quiet",
       [](const auto& words) { print("pid " + std::to_string(start_again("after " + words, Streams::none))); }},
      // A child and a grandchild that hold the streams and sleep.
      {"tree",
       [](const auto& time) {
         print("pid " + std::to_string(::GetCurrentProcessId()));
         print("pid " + std::to_string(start_again("branch " + time, Streams::inherited)));
       }},
      {"branch",
       [](const auto& time) {
         print("pid " + std::to_string(start_again("sleep " + time, Streams::inherited)));
         sleep(time);
       }},
      {"after",
       [](const auto& words) {
         auto [time, rest] = split(words);
         sleep(time);
         while (!rest.empty()) {
           const auto end = rest.find(" ; ");
           const auto [verb, objects] = split(rest.substr(0, end));
           verbs().at(verb)(objects);
           rest = end == std::string::npos ? std::string{} : rest.substr(end + 3);
         }
       }},
  };
  return all;
}

int obey(const std::string& script, const std::string& path) {
  std::string_view rest{script};
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    std::string line{rest.substr(0, end)};
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const auto [verb, words] = split(line);
    if (verb == "#") continue;
    if (verb == "cat-script") {
      write(STD_OUTPUT_HANDLE, script);
    } else if (verb == "script-path") {
      print(path);
    } else if (const auto found = verbs().find(verb); found != verbs().end()) {
      found->second(words);
    } else {
      write(STD_ERROR_HANDLE, path + ": " + verb + ": command not found\n");
      return 127;
    }
  }
  return 0;
}

// The script is a file that is named last, after `--` or after a line of bash that reads and evaluates it.
bool names_script(const std::vector<std::string>& arguments) {
  constexpr std::string_view end_of_line = "eval -- \"$BASH_EXECUTION_STRING\"";
  if (arguments.size() == 2) return arguments[0] == "--";
  return arguments.size() == 5 && arguments[0] == "-c" && arguments[1] == "--" && arguments[2].starts_with("{ IFS= ") &&
         arguments[2].ends_with(end_of_line);
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments == std::vector<std::string>{"--version"}) {
    print("GNU bash, version 5.2.37(1)-release (stand-in)");
    return 0;
  }
  if (arguments == std::vector<std::string>{"install"}) {
    install();
    return 0;
  }
  // As any program would read them.
  if (!arguments.empty() && arguments[0] == "arguments") {
    for (std::size_t i = 1; i < arguments.size(); ++i) print("[" + arguments[i] + "]");
    return 0;
  }
  // How it starts itself.
  if (arguments.size() == 2 && arguments[0] == "-c") return obey(arguments[1], "bash");
  if (!names_script(arguments)) {
    write(STD_ERROR_HANDLE, "this stand-in for bash was not given a script\n");
    for (const auto& argument : arguments) write(STD_ERROR_HANDLE, argument + "\n");
    return 2;
  }
  const auto& path = arguments.back();
  const HANDLE script = open_for_reading(wide(path));
  if (script == INVALID_HANDLE_VALUE) {
    write(STD_ERROR_HANDLE, path + ": No such file or directory\n");
    return 127;
  }
  // Open to the end, as bash keeps it.
  return obey(read_all(script), path);
}
