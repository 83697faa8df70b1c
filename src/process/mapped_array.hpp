#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace cowork_terminal::process {

// POSIX. An array that grows by mmap alone: a process between fork and exec must not call malloc.
template <class Element>
class MappedArray {
  static_assert(std::is_trivially_copyable_v<Element>);

 public:
  MappedArray() = default;
  MappedArray(const MappedArray&) = delete;
  MappedArray& operator=(const MappedArray&) = delete;
  ~MappedArray() { unmap(); }

  [[nodiscard]] Element* begin() { return elements_; }
  [[nodiscard]] Element* end() { return elements_ + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void clear() { size_ = 0; }

  // False when there is no memory.
  bool push_back(const Element& element) {
    if (size_ == capacity_ && !grow(size_ + 1)) return false;
    elements_[size_++] = element;
    return true;
  }
  // New elements hold whatever was there.
  bool resize(std::size_t size) {
    if (size > capacity_ && !grow(size)) return false;
    size_ = size;
    return true;
  }
  void swap(MappedArray& other) noexcept {
    std::swap(elements_, other.elements_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  bool grow(std::size_t needed) {
    std::size_t capacity = capacity_ == 0 ? 1'024 : capacity_ * 2;
    while (capacity < needed) capacity *= 2;
    void* memory = ::mmap(nullptr, capacity * sizeof(Element), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) return false;
    if (size_ > 0) std::memcpy(memory, elements_, size_ * sizeof(Element));
    unmap();
    elements_ = static_cast<Element*>(memory);
    capacity_ = capacity;
    return true;
  }
  void unmap() {
    if (elements_ != nullptr) ::munmap(elements_, capacity_ * sizeof(Element));
  }

  Element* elements_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace cowork_terminal::process
