#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "mcp/random_key.hpp"

namespace cowork_terminal::mcp {

Digest random_key() {
  Digest key{};
  if (::getentropy(key.data(), key.size()) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot read random bytes (getentropy)");
  return key;
}

}  // namespace cowork_terminal::mcp
