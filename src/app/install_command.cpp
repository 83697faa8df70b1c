#include <cowork_terminal/app/install_command.hpp>
#include <cowork_terminal/app/own_path.hpp>
#include <cowork_terminal/app/program_search.hpp>
#include <cowork_terminal/app/run_program.hpp>
#include <cowork_terminal/process/environment.hpp>
#include <cowork_terminal/registration/client.hpp>
#include <cowork_terminal/registration/install.hpp>
#include <cowork_terminal/shell/home_directory.hpp>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace cowork_terminal::app {

namespace {

int print(const registration::InstallReport& report) {
  std::fwrite(report.text.data(), 1, report.text.size(), stdout);
  std::fwrite(report.remarks.data(), 1, report.remarks.size(), stderr);
  return report.exit_code;
}

registration::ProgramOutcome run_client_program(const std::vector<std::string>& argv, const std::string& directory) {
  process::Command command;
  command.argv = argv;
  command.working_directory = directory;
  command.environment = process::Environment::current();
  auto outcome = run_program(std::move(command)).outcome;
  const auto* exited = std::get_if<process::Exited>(&outcome.ending);
  if (const auto* failed = std::get_if<process::FailedToStart>(&outcome.ending)) return {127, failed->reason};
  return {exited != nullptr ? exited->code : 1, outcome.standard_output.text + outcome.standard_error.text};
}

// Claude Desktop and Cowork give up on a call after about 60 s.
std::vector<std::string> usual_arguments(const std::string& client) {
  if (client == "claude-desktop") return {"--max-wait", "45000"};
  return {};
}

}  // namespace

registration::Surroundings registration_surroundings() {
  const auto environment = process::Environment::current();
  registration::Surroundings surroundings;
  surroundings.environment = [environment](std::string_view name) { return environment.get(name); };
  surroundings.home = shell::home_directory(environment).path;
  std::error_code ignored;
  surroundings.working_directory = registration::utf8_from_path(std::filesystem::current_path(ignored));
  if (ignored) surroundings.working_directory = surroundings.home;
  surroundings.find_program = [environment](std::string_view name) { return find_program(environment, name); };
  surroundings.run_program = [directory = surroundings.working_directory](const std::vector<std::string>& argv) {
    return run_client_program(argv, directory);
  };
  return surroundings;
}

int run_install(const InstallOptions& options) {
  registration::InstallRequest request;
  request.client = options.client;
  request.name = options.name;
  request.executable = own_path();
  request.args = options.arguments.empty() ? usual_arguments(options.client) : options.arguments;
  request.replacement = options.replace ? registration::Replacement::replace : registration::Replacement::refuse;
  request.effect = options.dry_run ? registration::Effect::dry_run : registration::Effect::write;
  if (options.print) return print(registration::print_entry(request));
  return print(registration::install(request, registration_surroundings()));
}

int run_uninstall(const UninstallOptions& options) {
  registration::UninstallRequest request;
  request.client = options.client;
  request.name = options.name;
  request.executable = own_path();
  request.effect = options.dry_run ? registration::Effect::dry_run : registration::Effect::write;
  return print(registration::uninstall(request, registration_surroundings()));
}

}  // namespace cowork_terminal::app
