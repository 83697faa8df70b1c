#include <cstdint>
#include <fstream>
#include <new>
#include <sstream>
#include <string>

#include "support/catch.hpp"

namespace {

constexpr std::uintptr_t huge_page = 2 * 1'024 * 1'024;

// The flags that the kernel shows of the mapping that `address` lies in (proc(5), smaps).
std::string flags_of_mapping(std::uintptr_t address) {
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-') inside = begin <= address && address < end;
    if (inside && line.starts_with("VmFlags:")) return line + ' ';
  }
  return {};
}

bool kernel_has_huge_pages() { return std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good(); }

}  // namespace

TEST_CASE("a large block lies on huge pages, a small one does not", "[C-23]") {
  std::string text;
  text.reserve(1'048'576);
  text.assign(1'048'576, 'x');
  const auto address = reinterpret_cast<std::uintptr_t>(text.data());
  CHECK(address % huge_page == 0);
  if (kernel_has_huge_pages()) CHECK(flags_of_mapping(address).find(" hg ") != std::string::npos);

  const std::string small(1'000, 'x');
  CHECK(flags_of_mapping(reinterpret_cast<std::uintptr_t>(small.data())).find(" hg ") == std::string::npos);
}

TEST_CASE("a block that no huge page can end is refused as any other that is too large", "[C-23]") {
  CHECK_THROWS_AS(::operator new(SIZE_MAX), std::bad_alloc);
}
