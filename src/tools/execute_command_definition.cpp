#include "tools/execute_command_definition.hpp"

#include <cowork_terminal/tools/command_preparation.hpp>

namespace cowork_terminal::tools {

namespace {

using nlohmann::json;

// Under 2,000 characters (contract C-9); models read it with every conversation.
constexpr char description[] =
    R"text(Runs a command with bash on the user's own machine (no sandbox, no VM), with the user's rights: changes are real. Returns stdout, stderr, exitCode, timedOut.

- bash everywhere; on Windows it is Git Bash: forward slashes, C:/Users/me or /c/Users/me, and env MSYS_NO_PATHCONV=1 if a program's /options get rewritten as paths.
- Every call is a fresh shell: cd, variables and aliases do not last. Prefer `cwd` to `cd DIR &&`, and `env` for variables.
- Pass multi-line text in a quoted here-document, which expands nothing:
gh pr create --body "$(cat <<'EOF'
Text with `ticks` and $dollars
EOF
)"
- No TTY and an empty stdin: no interactive programs. Use flags such as --yes, --no-edit or -m instead of prompts, pagers and editors.
- A command that outlives `timeout` (default 30000 ms) is ended with all its children: timedOut is true, exitCode null. Give builds, tests and installs a larger timeout from the start.
- Redirect the output of background processes, e.g. `npm start >/tmp/app.log 2>&1 &`. The call ends when bash does; what they print later is thrown away.
- Each stream keeps its first 1 MB, the rest is cut. Redirect long output to a file and read parts with head, tail, sed -n or grep.
- A non-zero exitCode is reported as it is, not as an error of this tool: read stderr.)text";

// Added to the description when jobs are on.
constexpr char job_description[] =
    R"text(
- A call takes at most `wait` ms. A command that runs longer goes on as a job: the result has running true and a `job` id. Call again with {"job": id} for what it printed since and its end, or with {"job": id, "stop": true} to end it. Give either command or job.)text";

json input_schema(std::chrono::milliseconds max_wait) {
  json schema{
      {"type", "object"},
      {"properties",
       {{"command",
         {{"type", "string"}, {"pattern", "\\S"}, {"description", "The bash command to run; may have many lines."}}},
        {"cwd",
         {{"type", "string"},
          {"description",
           "Directory to run in: an absolute path, or ~ or ~/...; a relative path is taken from the home directory. It "
           "must exist. Default: the home directory."}}},
        {"timeout",
         {{"type", "number"},
          {"exclusiveMinimum", 0},
          {"default", 30000},
          {"description", "Milliseconds until the command is ended with everything it started."}}},
        {"env",
         {{"type", "object"},
          {"additionalProperties", {{"type", "string"}}},
          {"description", "Environment variables for this command only, added over the inherited ones."}}}}},
      {"required", {"command"}},
      {"additionalProperties", false},
  };
  if (max_wait == std::chrono::milliseconds(0)) return schema;
  // Model APIs refuse a root oneOf, so that exactly one of the two is given is said in words and checked by the call.
  schema.erase("required");
  auto& properties = schema.at("properties");
  properties["command"]["description"] = "The bash command to run; may have many lines. Not together with job.";
  properties["timeout"]["default"] = default_timeout(max_wait).count();
  properties["timeout"]["description"] =
      "Milliseconds until the command is ended with everything it started, counted from its start over its whole life.";
  properties["wait"] = {
      {"type", "number"},
      {"minimum", 0},
      {"default", max_wait.count()},
      {"description", "Milliseconds to wait for the end; then the command goes on as a job. 0: at once."}};
  properties["job"] = {{"type", "string"},
                       {"description", "Id of a running command, from an earlier result: waits for what comes next."}};
  properties["stop"] = {
      {"type", "boolean"}, {"default", false}, {"description", "Only with job: end it and give the rest."}};
  return schema;
}

json output_schema(std::chrono::milliseconds max_wait) {
  json schema{
      {"type", "object"},
      {"properties",
       {{"stdout", {{"type", "string"}, {"description", "What the command wrote to stdout."}}},
        {"stderr", {{"type", "string"}, {"description", "What the command wrote to stderr."}}},
        {"exitCode",
         {{"type", {"integer", "null"}},
          {"description", "0-255 as bash reports it, 128 + n after death by signal n; null if it timed out."}}},
        {"timedOut", {{"type", "boolean"}, {"description", "Whether the timeout ended the command."}}},
        {"signal",
         {{"type", "string"}, {"description", "Name of the signal that ended bash itself, such as SIGKILL."}}},
        {"notes",
         {{"type", "array"},
          {"items", {{"type", "string"}}},
          {"description", "What else there is to know about this run."}}}}},
      {"required", {"stdout", "stderr", "exitCode", "timedOut"}},
  };
  if (max_wait == std::chrono::milliseconds(0)) return schema;
  auto& properties = schema.at("properties");
  properties["exitCode"]["description"] =
      "0-255 as bash reports it, 128 + n after death by signal n; null if it timed out, was stopped or still runs.";
  properties["job"] = {{"type", "string"}, {"description", "Id to follow the command with, while it runs."}};
  properties["running"] = {{"type", "boolean"}, {"description", "True while the command runs on as a job."}};
  return schema;
}

}  // namespace

mcp::ToolDefinition execute_command_definition(std::chrono::milliseconds max_wait) {
  mcp::ToolDefinition definition;
  definition.name = "execute_command";
  definition.title = "Execute command";
  definition.description = description;
  if (max_wait > std::chrono::milliseconds(0)) definition.description += job_description;
  definition.input_schema = input_schema(max_wait);
  definition.output_schema = output_schema(max_wait);
  // Claude Code hides a tool until it is searched for, unless told otherwise.
  definition.meta = {
      {"anthropic/alwaysLoad", true},
      {"anthropic/searchHint", "run shell bash terminal command on the host machine: git, build, install"}};
  return definition;
}

std::vector<std::string> execute_command_parameters(std::chrono::milliseconds max_wait) {
  std::vector<std::string> names{"command", "cwd", "timeout", "env"};
  if (max_wait > std::chrono::milliseconds(0)) names.insert(names.end(), {"wait", "job", "stop"});
  return names;
}

}  // namespace cowork_terminal::tools
