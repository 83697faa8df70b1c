#include <malloc.h>
#include <sys/mman.h>

#include <cstdlib>
#include <new>

// All memory of the program, for the sake of its large blocks: the text of a long output, and of the line that answers
// with it. They lie on huge pages (madvise(2)), each one page fault instead of 512, go back to the system when they are
// freed, and are not inherited by a supervisor, which would keep them for its life.
namespace {

constexpr std::size_t huge_page = 2 * 1'024 * 1'024;
constexpr std::size_t large = huge_page / 4;

// All else comes from one heap, which supervisors do not inherit either. A limit that is set stays; else each freed
// block raises it, and the next one comes from the heap, which is kept.
[[maybe_unused]] const bool told = ::mallopt(M_ARENA_MAX, 1) == 1 && ::mallopt(M_MMAP_THRESHOLD, large) == 1;

void* allocate_large(std::size_t size) {
  const std::size_t whole_pages = (size + huge_page - 1) / huge_page * huge_page;
  if (whole_pages < size) return nullptr;
  void* block = std::aligned_alloc(huge_page, whole_pages);
  // The last one only if a quarter of it is needed. Where there are no huge pages, small ones do.
  const std::size_t worth_it = (size + huge_page - large) / huge_page * huge_page;
  if (block == nullptr) return nullptr;
  ::madvise(block, worth_it, MADV_HUGEPAGE);
  ::madvise(block, whole_pages, MADV_DONTFORK);
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
