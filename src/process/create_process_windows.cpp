#include "process/create_process_windows.hpp"

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/windows/default_launcher.hpp>
#include <cowork_terminal/process/windows_text.hpp>
#include <stdexcept>

#include "process/batch_file_line.hpp"
#include "process/environment_block_windows.hpp"
#include "process/windows_command_line.hpp"

namespace cowork_terminal::process {

namespace {

using boost::process::v2::windows::default_launcher;

// STARTUPINFOEX's list of two attributes. The values stay the caller's and outlive it.
class AttributeList {
 public:
  AttributeList() {
    SIZE_T size = 0;
    ::InitializeProcThreadAttributeList(nullptr, slots, 0, &size);
    memory_.resize(size);
    if (::InitializeProcThreadAttributeList(get(), slots, 0, &size) == 0) fail();
  }
  AttributeList(const AttributeList&) = delete;
  AttributeList& operator=(const AttributeList&) = delete;
  ~AttributeList() { ::DeleteProcThreadAttributeList(get()); }

  [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST get() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
  }
  void set(DWORD_PTR attribute, HANDLE* values, std::size_t count) {
    if (::UpdateProcThreadAttribute(get(), 0, attribute, values, count * sizeof(HANDLE), nullptr, nullptr) == 0) fail();
  }

 private:
  [[noreturn]] static void fail() {
    throw std::runtime_error("the start of a program cannot be prepared: " + describe_windows_error(::GetLastError()));
  }

  static constexpr DWORD slots = 2;
  std::vector<char> memory_;
};

template <typename Launcher>
void inherit_only(Launcher& launcher, AttributeList& attributes, std::array<HANDLE, 3>& handles) {
  if constexpr (requires { launcher.inherited_handles; }) {
    // Boost 1.88 on sets the attribute itself.
    launcher.inherited_handles.assign(handles.begin(), handles.end());
  } else {
    launcher.inherit_handles = true;
    attributes.set(PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles.data(), handles.size());
  }
}

bool is_directory(const std::wstring& path) {
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

// CreateProcessW takes no current directory of MAX_PATH - 2 characters or more, in whatever form; its short name is
// often the way out.
std::wstring startable_directory(const std::string& path) {
  const std::wstring directory = to_utf16(path);
  if (directory.size() < MAX_PATH - 2) return directory;
  std::wstring extended = directory;
  for (auto& c : extended) c = c == L'/' ? L'\\' : c;
  if (extended.rfind(LR"(\\)", 0) != 0) extended.insert(0, LR"(\\?\)");
  std::wstring short_name(MAX_PATH + 4, L'\0');
  const DWORD size = ::GetShortPathNameW(extended.c_str(), short_name.data(), static_cast<DWORD>(short_name.size()));
  short_name.resize(size < short_name.size() ? size : 0);
  if (short_name.rfind(LR"(\\?\)", 0) == 0) short_name.erase(0, 4);
  if (short_name.empty() || short_name.size() >= MAX_PATH - 2) {
    throw std::runtime_error("The working directory has " + std::to_string(directory.size()) +
                             " characters, and Windows starts no program in one of more than 257: use a folder above "
                             "it and `cd` from there.");
  }
  return short_name;
}

struct ProgramAndLine {
  std::wstring program;
  std::wstring line;
};

ProgramAndLine program_and_line(const std::vector<std::string>& argv) {
  if (!is_batch_file(argv.front())) return {to_utf16(argv.front()), to_utf16(windows_command_line(argv))};
  wchar_t folder[MAX_PATH];
  // Not %COMSPEC%, which anybody may have set.
  const std::wstring interpreter = std::wstring{folder, ::GetSystemDirectoryW(folder, MAX_PATH)} + LR"(\cmd.exe)";
  return {interpreter, to_utf16(batch_file_line(to_utf8(interpreter), argv))};
}

std::string reason_for(DWORD error, const std::string& program, const std::string& working_directory) {
  if (!is_directory(to_utf16(working_directory))) {
    return "The working directory " + working_directory + " is not there or is not a directory.";
  }
  return program + " could not be started: " + describe_windows_error(error) + ".";
}

}  // namespace

CreatedProcess create_process(boost::asio::io_context& context, const std::vector<std::string>& argv,
                              const std::string& working_directory, const Environment& environment,
                              const StandardHandles& handles, const Job& job) {
  std::array<HANDLE, 3> inherited{handles.input, handles.output, handles.error};
  HANDLE job_handle = job.get();
  std::wstring block = environment_block(environment);
  AttributeList attributes;
  attributes.set(PROC_THREAD_ATTRIBUTE_JOB_LIST, &job_handle, 1);

  default_launcher launcher;
  inherit_only(launcher, attributes, inherited);
  launcher.creation_flags |= CREATE_NO_WINDOW | CREATE_UNICODE_ENVIRONMENT;
  launcher.environment = block.data();
  launcher.current_directory = startable_directory(working_directory);
  launcher.startup_info.lpAttributeList = attributes.get();
  auto& startup = launcher.startup_info.StartupInfo;
  startup.dwFlags |= STARTF_USESTDHANDLES;
  startup.hStdInput = handles.input;
  startup.hStdOutput = handles.output;
  startup.hStdError = handles.error;

  // The line is built here because Boost (every version so far) quotes wrongly; a wide string is taken as it is. The
  // executor is the any_io_executor of `process`: converting from another one ends the program at once in Boost 1.81.
  const auto [program, line] = program_and_line(argv);
  boost::system::error_code error;
  auto created = launcher(boost::asio::any_io_executor{context.get_executor()}, error, program, line.c_str());
  if (error) throw std::runtime_error(reason_for(static_cast<DWORD>(error.value()), argv.front(), working_directory));

  // Its own waiting never ends for a program that returns 259 (STILL_ACTIVE), so we take a handle of our own.
  CreatedProcess result{{}, static_cast<std::uint32_t>(created.id())};
  HANDLE copy = nullptr;
  ::DuplicateHandle(::GetCurrentProcess(), created.native_handle(), ::GetCurrentProcess(), &copy, 0, FALSE,
                    DUPLICATE_SAME_ACCESS);
  created.detach();
  result.handle = UniqueHandle{copy};
  if (!result.handle)
    throw std::runtime_error("a started program cannot be watched: " + describe_windows_error(::GetLastError()));
  return result;
}

}  // namespace cowork_terminal::process
