"""The servers to measure: how each one is started and how its shell tool is called."""
import os
import shlex
import shutil
import sys

MIB = 1 << 20


class Adapter:
    def __init__(self, tool, args, capabilities=None, setup=()):
        self.tool, self.args = tool, args
        self.capabilities, self.setup = capabilities or {}, list(setup)


ADAPTERS = {
    "execute_command": Adapter("execute_command", lambda c, ms: {"command": c, "timeout": ms}),
    "run_command": Adapter("run_command", lambda c, ms: {"command": c}),
    "run": Adapter("run", lambda c, ms: {"command": c, "timeoutSeconds": max(1, ms // 1000)}),
    "start_process": Adapter("start_process", lambda c, ms: {"command": c, "timeout_ms": ms}),
    "shell_execute": Adapter("shell_execute", lambda c, ms: {
        "command": c, "execution_mode": "foreground",
        "timeout_seconds": max(1, min(3600, ms // 1000)), "max_output_size": 100 * MIB}),
    "codex_shell": Adapter(
        "shell", lambda c, ms: {"command": c, "workdir": "/tmp", "timeout_ms": ms, "login": False},
        {"experimental": {"codex/sandbox-state": {"version": "1.0.0"}}},
        [("codex/sandbox-state/update", {"sandboxPolicy": {"type": "danger-full-access"},
                                         "codexLinuxSandboxExe": "/bin/true",
                                         "sandboxCwd": "/tmp"})]),
}

_CODEX = "@openai/codex-shell-tool-mcp/vendor/x86_64-unknown-linux-musl"
# name, adapter, path below a node_modules that must exist, argv, environment
PRESETS = [
    ("mcp-server-commands", "run_command", "mcp-server-commands/build/index.js",
     ["node", "{m}/mcp-server-commands/build/index.js"], {}),
    ("desktop-commander", "start_process", "@wonderwhy-er/desktop-commander/dist/index.js",
     ["node", "{m}/@wonderwhy-er/desktop-commander/dist/index.js", "--no-onboarding"],
     # a feature-flag address that refuses at once: without it the server waits
     # seconds for a network that a bench machine may not have
     {"DC_FLAG_URL": "http://127.0.0.1:9/"}),
    ("codex-shell-tool", "codex_shell", _CODEX + "/codex-exec-mcp-server",
     ["{m}/" + _CODEX + "/codex-exec-mcp-server", "--execve",
      "{m}/" + _CODEX + "/codex-execve-wrapper", "--bash",
      "{m}/" + _CODEX + "/bash/debian-12/bash"], {}),
    ("mako10k-shell", "shell_execute", "@mako10k/mcp-shell-server/dist/index.js",
     ["node", "{m}/@mako10k/mcp-shell-server/dist/index.js"],
     {"MCP_SHELL_SECURITY_MODE": "permissive", "MCP_SHELL_ENHANCED_MODE": "false"}),
    ("agent-infra-commands", "run_command", "@agent-infra/mcp-server-commands/dist/index.cjs",
     ["node", "{m}/@agent-infra/mcp-server-commands/dist/index.cjs"], {}),
    ("bash-command-mcp", "run", "bash-command-mcp/dist/index.js",
     ["node", "{m}/bash-command-mcp/dist/index.js"], {}),
]


class Server:
    def __init__(self, name, argv, adapter="execute_command", env=None, hidden=False):
        if adapter not in ADAPTERS:
            sys.exit(f"bench: no adapter {adapter!r}; have {', '.join(ADAPTERS)}")
        argv = [os.path.abspath(a) if "/" in a and os.path.exists(a) else a for a in argv]
        exe = shutil.which(argv[0])
        if not exe:
            sys.exit(f"bench: {name}: no such program: {argv[0]}")
        self.name, self.argv, self.exe = name, argv, os.path.abspath(exe)
        self.adapter, self.env, self.hidden = ADAPTERS[adapter], env or {}, hidden
        self.node = os.path.basename(self.exe) in ("node", "npx", "npm")


def parse_server(text):
    name, eq, cmd = text.partition("=")
    if not eq:
        sys.exit(f"bench: --server wants NAME[@ADAPTER]=COMMAND, got {text!r}")
    name, _, adapter = name.partition("@")
    argv, env = shlex.split(cmd), {}
    while argv and "=" in argv[0] and "/" not in argv[0].split("=")[0]:
        key, _, value = argv.pop(0).partition("=")
        env[key] = value
    return Server(name, argv, adapter or "execute_command", env)


def find_peers(folder):
    """The presets that are installed in folder or in a folder right below it."""
    roots = [folder] + sorted(os.path.join(folder, d) for d in os.listdir(folder))
    found = []
    for name, adapter, probe, argv, env in PRESETS:
        for root in roots:
            m = os.path.join(root, "node_modules")
            if os.path.exists(os.path.join(m, probe)):
                found.append(Server(name, [a.format(m=m) for a in argv], adapter, env))
                break
    return found
