#include "process/output_pipe_windows.hpp"

#include <cowork_terminal/process/windows_text.hpp>
#include <random>
#include <stdexcept>
#include <string>

namespace cowork_terminal::process {

namespace {

// Twice of what we read at once: the MSYS runtime takes a pipe for full when the free room, less what a waiting reader
// asked for, is nothing.
constexpr DWORD pipe_size = 128 * 1'024;

std::wstring unused_name() {
  static unsigned counter = 0;
  std::random_device random;
  return L"\\\\.\\pipe\\cowork-terminal-" + std::to_wstring(::GetCurrentProcessId()) + L'-' +
         std::to_wstring(++counter) + L'-' + std::to_wstring(random());
}

}  // namespace

OutputPipe make_output_pipe() {
  // CreatePipe has no overlapped end, so this is a named pipe whose name nobody else gets to use.
  const std::wstring name = unused_name();
  OutputPipe pipe;
  pipe.read_end = UniqueHandle{
      ::CreateNamedPipeW(name.c_str(), PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                         PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, pipe_size,
                         pipe_size, 0, nullptr)};
  SECURITY_ATTRIBUTES inheritable{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  if (pipe.read_end) {
    // FILE_READ_ATTRIBUTES as CreatePipe gives it: the MSYS runtime asks the pipe for its free room.
    pipe.write_end = UniqueHandle{::CreateFileW(name.c_str(), GENERIC_WRITE | FILE_READ_ATTRIBUTES, 0, &inheritable,
                                                OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr)};
  }
  if (!pipe.write_end) throw std::runtime_error("no pipe can be made: " + describe_windows_error(::GetLastError()));
  return pipe;
}

}  // namespace cowork_terminal::process
