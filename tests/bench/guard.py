#!/usr/bin/env python3
"""Holds the work of the program to a recorded baseline, in instructions counted by callgrind: they hardly move on a
busy machine. Fails when one of them has become half as much again.

    guard.py PROGRAM            compare with baseline.json
    guard.py PROGRAM --record   write baseline.json anew, after a change that is worth its price
"""
import json
import os
import platform
import select
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BASELINE = os.path.join(HERE, "baseline.json")
ALLOWED = 1.5


def line(**message):
    return (json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode()


class Counted:
    """The program under callgrind, with a folder for what that writes."""

    def __init__(self, program, folder):
        self.files = os.path.join(folder, "callgrind.%p")
        self.process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", "--quiet", "--log-file=/dev/null",
             f"--callgrind-out-file={self.files}", program, "--no-audit-log"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "guard", "version": "1"}})
        # The one thing that the program does by itself a while after its start: here it is always part of that.
        for text in iter(self.process.stderr.readline, b""):
            if b"bash is version" in text:
                return
        sys.exit("guard: the program ended before it knew its bash")

    def ask(self, method, params):
        self.process.stdin.write(line(id=1, method=method, params=params))
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "result" not in answer or answer["result"].get("isError"):
            sys.exit(f"guard: {method} failed: {answer}")

    def call(self, command, times):
        for _ in range(times):
            self.ask("tools/call", {"name": "execute_command", "arguments": {"command": command}})

    def instructions(self):
        """Ends the program; what the server itself has executed, without the processes that it has forked."""
        pid = self.process.pid
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
            supervisors = [os.pidfd_open(int(child)) for child in children.read().split()]
        self.process.communicate()
        # They write a profile too, after the end of the server.
        for supervisor in supervisors:
            select.select([supervisor], [], [])
            os.close(supervisor)
        if self.process.returncode != 0:
            sys.exit(f"guard: the program left with {self.process.returncode}")
        with open(self.files.replace("%p", str(pid)), encoding="utf-8") as profile:
            return int(next(text for text in profile if text.startswith(("summary:", "totals:"))).split()[1])


def per_call(program, folder, command, few, many):
    counts = []
    for times in (few, many):
        server = Counted(program, folder)
        server.call(command, times)
        counts.append(server.instructions())
    return (counts[1] - counts[0]) // (many - few)


def measure(program):
    with tempfile.TemporaryDirectory(prefix="guard-") as folder:
        text = os.path.join(folder, "text")
        with open(text, "w", encoding="utf-8") as file:
            file.write('src/main.cpp:17: "value" in C:\\build\\x is unused — ok\n' * 17_500)
        return {
            "start": Counted(program, folder).instructions(),
            "true": per_call(program, folder, "true", 5, 25),
            "1 MB of text": per_call(program, folder, f"cat {text}", 2, 6),
        }


def main():
    program = os.path.abspath(sys.argv[1])
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return 0
    if "--record" in sys.argv:
        record(program)
        return 0
    with open(BASELINE, encoding="utf-8") as file:
        baseline = json.load(file)
    if platform.machine() != baseline["machine"]:
        print(f"skipped: the baseline was recorded on {baseline['machine']}, this is {platform.machine()}")
        return 0
    return compare(measure(program), baseline["instructions"])


def record(program):
    found = {"recorded": f"by guard.py --record, of build preset release, under {said_by('valgrind')}",
             "compiler": said_by(os.environ.get("CXX", "c++")), "machine": platform.machine(),
             "instructions": measure(program)}
    with open(BASELINE, "w", encoding="utf-8") as file:
        json.dump(found, file, indent=2)
        file.write("\n")


def said_by(tool):
    return subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def compare(counts, baseline):
    worse = [name for name, count in counts.items() if count > ALLOWED * baseline[name]]
    for name, count in counts.items():
        print(f"{name:14} {count:>12,} instructions, {count / baseline[name]:.2f} x the baseline of {baseline[name]:,}")
    if worse:
        print(f"guard: {', '.join(worse)}: more than {ALLOWED} x the baseline. Find what costs so much "
              "(callgrind_annotate tells), or, if it is worth its price, record a new baseline:\n"
              f"  python3 {os.path.relpath(__file__)} PROGRAM --record")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
