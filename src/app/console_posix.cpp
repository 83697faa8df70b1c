#include <cowork_terminal/app/console.hpp>

namespace cowork_terminal::app {

void prepare_console() {}

}  // namespace cowork_terminal::app
