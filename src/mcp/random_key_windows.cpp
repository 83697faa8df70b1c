#include <windows.h>

#include "mcp/random_key.hpp"
// After windows.h, whose types it uses.
#include <bcrypt.h>

#include <system_error>

namespace cowork_terminal::mcp {

Digest random_key() {
  Digest key{};
  const auto status =
      ::BCryptGenRandom(nullptr, key.data(), static_cast<ULONG>(key.size()), BCRYPT_USE_SYSTEM_PREFERRED_RNG);
  if (status < 0)
    throw std::system_error(static_cast<int>(status), std::system_category(),
                            "cannot read random bytes (BCryptGenRandom)");
  return key;
}

}  // namespace cowork_terminal::mcp
