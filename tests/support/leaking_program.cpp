#include <cowork_terminal/app/leave.hpp>
#include <memory>
#include <string>

namespace {

std::string* volatile remembered = nullptr;

// The last one stays known. Many are forgotten, so that no stale copy of a pointer hides them all.
void make_strings(int count) {
  for (int i = 0; i < count; ++i) remembered = std::make_unique<std::string>(1'000, 'x').release();
}

}  // namespace

// Leaves as the server does; with an argument, it leaks first.
int main(int argc, char*[]) {
  make_strings(argc > 1 ? 10 : 1);
  cowork_terminal::app::leave(0);
}
