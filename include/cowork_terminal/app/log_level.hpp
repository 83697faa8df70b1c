#pragma once

namespace cowork_terminal::app {

enum class LogLevel { trace, debug, info, warn, error, off };

}  // namespace cowork_terminal::app
