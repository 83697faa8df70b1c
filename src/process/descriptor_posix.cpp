#include <unistd.h>

#include "process/descriptor.hpp"

namespace cowork_terminal::process {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = other.release();
  }
  return *this;
}

Descriptor::~Descriptor() { reset(); }

void Descriptor::reset() {
  if (is_open()) ::close(release());
}

}  // namespace cowork_terminal::process
