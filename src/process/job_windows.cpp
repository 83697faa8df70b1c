#include "process/job_windows.hpp"

#include <cowork_terminal/process/windows_text.hpp>
#include <stdexcept>

#include "process/windows_exit_code.hpp"

namespace cowork_terminal::process {

namespace {

bool set_limits(HANDLE job, DWORD flags) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = flags;
  return ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits) != 0;
}

}  // namespace

Job::Job() : handle_(::CreateJobObjectW(nullptr, nullptr)) {
  // No breakaway is allowed, so that the job is exactly the tree. (The MSYS runtime asks whether it may before it
  // tries.)
  if (!handle_ || !set_limits(handle_.get(), JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)) {
    throw std::runtime_error("no job object can be made: " + describe_windows_error(::GetLastError()));
  }
}

void Job::terminate() {
  constexpr int sigkill = 9;
  ::TerminateJobObject(handle_.get(), windows_exit_code_of_signal(sigkill));
}

void Job::disarm() { set_limits(handle_.get(), 0); }

bool Job::is_empty() const {
  JOBOBJECT_BASIC_ACCOUNTING_INFORMATION accounting{};
  if (::QueryInformationJobObject(handle_.get(), JobObjectBasicAccountingInformation, &accounting, sizeof accounting,
                                  nullptr) == 0) {
    return true;
  }
  return accounting.ActiveProcesses == 0;
}

}  // namespace cowork_terminal::process
