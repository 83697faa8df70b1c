#pragma once

// Windows only.

#include <windows.h>

namespace cowork_terminal::process {

// Full access for this user and the system and nothing for anybody else, for files and folders that are made, whatever
// their folder would pass on: the folder for temporary files may be one that all users share.
class PrivateAccess {
 public:
  PrivateAccess();
  ~PrivateAccess();
  PrivateAccess(const PrivateAccess&) = delete;
  PrivateAccess& operator=(const PrivateAccess&) = delete;

  // Null, which means the usual access, where the system does not tell who the user is.
  SECURITY_ATTRIBUTES* attributes() { return attributes_.lpSecurityDescriptor == nullptr ? nullptr : &attributes_; }

 private:
  SECURITY_ATTRIBUTES attributes_{};
};

}  // namespace cowork_terminal::process
