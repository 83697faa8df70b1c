#!/usr/bin/env python3
"""Holds the work of the program to a recorded baseline, in instructions counted by callgrind: they hardly move on a
busy machine. Fails when one of them has become half as much again.

    guard.py PROGRAM            compare with baseline.json
    guard.py PROGRAM --record   write baseline.json anew, after a change that is worth its price
"""
import json
import os
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
        while b"bash is version" not in self.process.stderr.readline():
            pass

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
        self.process.communicate()
        if self.process.returncode != 0:
            sys.exit(f"guard: the program left with {self.process.returncode}")
        with open(self.files.replace("%p", str(self.process.pid)), encoding="utf-8") as profile:
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
    counts = measure(program)
    if "--record" in sys.argv:
        with open(BASELINE, "w", encoding="utf-8") as file:
            json.dump(counts, file, indent=2)
            file.write("\n")
    with open(BASELINE, encoding="utf-8") as file:
        baseline = json.load(file)
    worse = False
    for name, count in counts.items():
        ratio = count / baseline[name]
        worse = worse or ratio > ALLOWED
        print(f"{name:14} {count:>12,} instructions, {ratio:.2f} x the baseline of {baseline[name]:,}")
    if worse:
        print(f"guard: more than {ALLOWED} x the baseline. Find what costs so much, or record a new baseline:\n"
              f"  python3 {os.path.relpath(__file__)} PROGRAM --record")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
