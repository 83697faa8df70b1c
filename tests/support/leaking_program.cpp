#include <cowork_terminal/app/leave.hpp>
#include <memory>
#include <string>

namespace {

std::string* volatile forgotten = nullptr;

}  // namespace

// leaking_program leak: leaves as the server does, with a string that nothing points to any more; without the word,
// with one that is still known.
int main(int argc, char*[]) {
  forgotten = std::make_unique<std::string>(1'000, 'x').release();
  if (argc > 1) forgotten = nullptr;
  cowork_terminal::app::leave(0);
}
