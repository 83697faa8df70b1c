#include <chrono>
#include <cowork_terminal/app/arguments.hpp>
#include <cowork_terminal/app/auditing.hpp>
#include <cowork_terminal/app/console.hpp>
#include <cowork_terminal/app/doctor.hpp>
#include <cowork_terminal/app/environment_source.hpp>
#include <cowork_terminal/app/exec_command.hpp>
#include <cowork_terminal/app/install_command.hpp>
#include <cowork_terminal/app/leave.hpp>
#include <cowork_terminal/app/logging.hpp>
#include <cowork_terminal/app/options.hpp>
#include <cowork_terminal/app/shutdown.hpp>
#include <cowork_terminal/app/startup.hpp>
#include <cowork_terminal/app/stop_signals.hpp>
#include <cowork_terminal/jsonrpc/dispatcher.hpp>
#include <cowork_terminal/jsonrpc/stdio_transport.hpp>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/mcp/server.hpp>
#include <cowork_terminal/policy/audited_command_runner.hpp>
#include <cowork_terminal/process/local_command_runner.hpp>
#include <cowork_terminal/process/parent_watch.hpp>
#include <cowork_terminal/process/queued_command_runner.hpp>
#include <cowork_terminal/process/whole_output.hpp>
#include <cowork_terminal/shell/bash_version.hpp>
#include <cowork_terminal/tools/execute_command.hpp>
#include <cowork_terminal/version.hpp>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace cowork_terminal;

constexpr char instructions[] =
    "Runs bash commands on the user's own machine (the host), not in a sandbox or VM: use execute_command to build, "
    "test, install, use git and gh, or read and change files there. Each call is a fresh shell; give long commands a "
    "larger timeout.";

[[noreturn]] void serve(const app::ServeOptions& options) {
  app::start_logging(options.common.log_level);
  const auto bash = app::require_bash(options.common.bash);

  loop::EventLoop loop;
  // A bug in one task costs the others nothing (contract C-30).
  loop.on_exception([](const std::exception_ptr& thrown) { app::log_exception(thrown); });
  const auto local_runner = process::make_local_command_runner(loop);
  process::QueuedCommandRunner queue(loop, *local_runner);
  auto audit_log = app::audit_log(options);
  std::optional<policy::AuditedCommandRunner> audited;
  if (audit_log) audited.emplace(loop, queue, *audit_log);
  process::CommandRunner& runner = audited ? static_cast<process::CommandRunner&>(*audited) : queue;

  process::OutputFolder whole_output;
  const bool jobs = options.max_wait > std::chrono::milliseconds(0);

  mcp::ToolRegistry tools;
  tools.add(tools::make_execute_command(
      loop, runner, {bash.path, options.common.max_output, jobs ? &whole_output : nullptr, options.max_wait},
      app::environment_source(loop, *local_runner, options.login_environment, bash), app::command_recorder(audit_log)));

  jsonrpc::StdioTransport transport(loop, jsonrpc::take_standard_streams());
  jsonrpc::Dispatcher dispatcher(
      [&](std::string line, jsonrpc::Delivered delivered) { transport.send(std::move(line), std::move(delivered)); });
  mcp::Server server(loop, dispatcher, tools, {"cowork-terminal-mcp", "Cowork Terminal", version, instructions},
                     [](std::string_view line) { app::log(app::LogLevel::info, line); });

  app::Shutdown shutdown({loop, runner, dispatcher, transport, server}, [&] { loop.stop(); });
  app::on_stop_signals(loop, [&] { shutdown.signal_arrived(); });
  process::when_parent_dies(loop, [&] { shutdown.input_ended(); });

  const jsonrpc::TransportLimits limits;
  transport.start({
      [&](std::string line) { dispatcher.receive_line(line); },
      [&](const nlohmann::json& id, std::size_t size) { dispatcher.receive_oversized_line(id, size, limits.line); },
      [&] { shutdown.input_ended(); },
      [&] { shutdown.output_closed(); },
      [&](bool full) { full ? queue.pause() : queue.resume(); },
  });
  app::log(app::LogLevel::info, std::string("version ") + version + ", commands run in " + bash.path);
  // Not before the first answers: a client waits for them (contract C-25).
  const auto version_timer = loop.after(std::chrono::milliseconds(500), [&] {
    shell::ask_bash_version(*local_runner, bash.path, [](const std::string& bash_version) {
      app::log(app::LogLevel::info, "bash is version " + (bash_version.empty() ? "unknown" : bash_version));
    });
  });
  loop.run();
  whole_output.remove();
  // The reader may be blocked in read() for good; nothing can wake it on every system.
  app::leave(0);
}

struct Run {
  int operator()(const app::ServeOptions& options) const { serve(options); }
  int operator()(app::ExecOptions options) const { return app::run_exec(std::move(options)); }
  int operator()(const app::InstallOptions& options) const { return app::run_install(options); }
  int operator()(const app::UninstallOptions& options) const { return app::run_uninstall(options); }
  int operator()(const app::DoctorOptions& options) const { return app::run_doctor(options); }
  int operator()(const app::Leave& leave) const {
    std::fputs(leave.standard_output.c_str(), stdout);
    std::fputs(leave.standard_error.c_str(), stderr);
    return leave.exit_code;
  }
};

}  // namespace

int main(int argc, char* argv[]) {
  // Before anything is opened: descriptors 0 to 2 must never be something else by accident.
  jsonrpc::open_missing_standard_descriptors();
  try {
    app::prepare_console();
    return std::visit(Run{}, app::parse_options(app::program_arguments(argc, argv)));
  } catch (const app::StartupError& error) {
    std::fprintf(stderr, "cowork-terminal-mcp: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cowork-terminal-mcp: unexpected failure: %s\n", error.what());
    return 1;
  }
}
