#include <malloc.h>
#include <sys/mman.h>

#include <cstdlib>
#include <new>

// All memory of the program, for the sake of its large blocks: the text of a long output, and of the line that answers
// with it. They lie on huge pages (madvise(2)), each one page fault instead of 512, and go back to the system when they
// are freed: a page that is kept over a fork costs a fault and a copy again.
namespace {

constexpr std::size_t huge_page = 2 * 1'024 * 1'024;
constexpr std::size_t large = huge_page / 4;

void* allocate_large(std::size_t size) {
  // A limit that is set stays: else each freed block raises it, and the next one comes from the heap, which is kept.
  [[maybe_unused]] static const int told = ::mallopt(M_MMAP_THRESHOLD, large);
  const std::size_t whole_pages = (size + huge_page - 1) / huge_page * huge_page;
  if (whole_pages < size) return nullptr;
  void* block = std::aligned_alloc(huge_page, whole_pages);
  // The last one only if a quarter of it is needed. Where there are no huge pages, small ones do.
  const std::size_t worth_it = (size + huge_page - large) / huge_page * huge_page;
  if (block != nullptr) ::madvise(block, worth_it, MADV_HUGEPAGE);
  return block;
}

}  // namespace

void* operator new(std::size_t size) {
  void* block = size < large ? std::malloc(size > 0 ? size : 1) : allocate_large(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void operator delete(void* block) noexcept { std::free(block); }

void operator delete(void* block, std::size_t) noexcept { std::free(block); }
