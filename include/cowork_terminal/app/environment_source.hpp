#pragma once

#include <cowork_terminal/shell/bash_locator.hpp>
#include <cowork_terminal/shell/login_environment.hpp>
#include <cowork_terminal/tools/execute_command.hpp>

namespace cowork_terminal::app {

// What commands start from (contract C-18): this process' environment, with that of the login shell where `mode` wants
// it, which is asked at the first use and not before (C-25). `loop` and `runner` outlive it.
tools::EnvironmentSource environment_source(loop::EventLoop& loop, process::CommandRunner& runner,
                                            shell::LoginEnvironmentMode mode, const shell::BashLocation& bash);

}  // namespace cowork_terminal::app
