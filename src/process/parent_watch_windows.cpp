// clang-format off
#include <windows.h>
#include <tlhelp32.h>  // needs the types of the first
// clang-format on

#include <boost/asio/windows/object_handle.hpp>
#include <cowork_terminal/loop/asio.hpp>
#include <cowork_terminal/process/parent_watch.hpp>
#include <cstdint>
#include <memory>
#include <utility>

#include "process/unique_handle_windows.hpp"

namespace cowork_terminal::process {

namespace {

DWORD parent_pid() {
  const UniqueHandle processes{::CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0)};
  if (!processes) return 0;
  PROCESSENTRY32W entry{};
  entry.dwSize = sizeof entry;
  for (BOOL more = ::Process32FirstW(processes.get(), &entry); more != 0;
       more = ::Process32NextW(processes.get(), &entry)) {
    if (entry.th32ProcessID == ::GetCurrentProcessId()) return entry.th32ParentProcessID;
  }
  return 0;
}

std::uint64_t start_time(HANDLE process) {
  FILETIME created{};
  FILETIME ignored{};
  if (::GetProcessTimes(process, &created, &ignored, &ignored, &ignored) == 0) return 0;
  return (static_cast<std::uint64_t>(created.dwHighDateTime) << 32) | created.dwLowDateTime;
}

}  // namespace

void when_parent_dies(loop::EventLoop& loop, std::function<void()> died) {
  const DWORD pid = parent_pid();
  if (pid == 0) return;
  UniqueHandle parent{::OpenProcess(SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid)};
  // Windows keeps the number of a parent that is gone and may give it to another: a true parent is older than its
  // child.
  if (!parent || start_time(parent.get()) > start_time(::GetCurrentProcess())) return;
  auto watch = std::make_shared<boost::asio::windows::object_handle>(loop.asio().context, parent.release());
  watch->async_wait([watch, died = std::move(died)](const boost::system::error_code& error) {
    if (!error) died();
  });
}

}  // namespace cowork_terminal::process
